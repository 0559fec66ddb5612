-- The entries of the indexes are what the function was. The old ones serve until the new ones are complete, and what a broken attempt left is dropped.
DROP INDEX CONCURRENTLY IF EXISTS accounts_search_ccnew;
REINDEX INDEX CONCURRENTLY accounts_search;
DROP INDEX CONCURRENTLY IF EXISTS contacts_search_ccnew;
REINDEX INDEX CONCURRENTLY contacts_search;
DROP INDEX CONCURRENTLY IF EXISTS cases_search_ccnew;
REINDEX INDEX CONCURRENTLY cases_search;
DROP INDEX CONCURRENTLY IF EXISTS activities_search_ccnew;
REINDEX INDEX CONCURRENTLY activities_search;
DROP INDEX CONCURRENTLY IF EXISTS leads_search_ccnew;
REINDEX INDEX CONCURRENTLY leads_search;
DROP INDEX CONCURRENTLY IF EXISTS opportunities_search_ccnew;
REINDEX INDEX CONCURRENTLY opportunities_search;
DROP INDEX CONCURRENTLY IF EXISTS products_search_ccnew;
REINDEX INDEX CONCURRENTLY products_search;
