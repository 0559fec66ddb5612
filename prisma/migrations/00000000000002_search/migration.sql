-- Text search. Written by hand: a Prisma schema has neither functions nor indexes on expressions.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The words of a text, as `q` finds them: in lower case, cut at blanks and ASCII punctuation, so that e-mail addresses and numbers fall into their
-- parts. PostgreSQL's own parser keeps an address whole, and half an address would not find it. A lexeme may have 2,046 bytes, hence the cut.
CREATE FUNCTION search_words(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(string_to_array(
    translate(lower(left(coalesce(given, ''), 500)), E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r\u00A0', repeat(' ', 36)), ' '), ''))
$$;

-- What is searched for: every word of the text, each as the beginning of one. Null when there is no word. No word holds a quote or a backslash.
CREATE FUNCTION search_query(given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(search_words(given))) AS word
$$;

CREATE INDEX accounts_search ON accounts USING gin (organization_id, (search_words(name) || search_words(account_number) || search_words(website)));
CREATE INDEX contacts_search ON contacts USING gin (organization_id, (search_words(first_name) || search_words(last_name) || search_words(email)));
CREATE INDEX cases_search ON cases USING gin
  (organization_id, (search_words(case_number) || search_words(subject) || search_words(supplied_name) || search_words(supplied_email)));
CREATE INDEX activities_search ON activities USING gin (organization_id, (search_words(subject)));
CREATE INDEX leads_search ON leads USING gin
  (organization_id, (search_words(first_name) || search_words(last_name) || search_words(company) || search_words(email)));
CREATE INDEX opportunities_search ON opportunities USING gin (organization_id, (search_words(name)));
CREATE INDEX products_search ON products USING gin (organization_id, (search_words(name) || search_words(sku)));
