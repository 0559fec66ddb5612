-- Apart from their function: an index that is made beside writers is made outside a transaction.
DROP INDEX CONCURRENTLY IF EXISTS accounts_phones;
CREATE INDEX CONCURRENTLY accounts_phones ON accounts USING gin ((phone_words(organization_id, phone)));
DROP INDEX CONCURRENTLY IF EXISTS contacts_phones;
CREATE INDEX CONCURRENTLY contacts_phones ON contacts USING gin
  ((phone_words(organization_id, phone, mobile_phone, home_phone)));
DROP INDEX CONCURRENTLY IF EXISTS leads_phones;
CREATE INDEX CONCURRENTLY leads_phones ON leads USING gin ((phone_words(organization_id, phone, mobile_phone)));
