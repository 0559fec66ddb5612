-- Text search. Written by hand: a Prisma schema has neither functions nor indexes on expressions.

-- A text as it is compared: in lower case, without accents, and with the letters that are written where there is no ø or ß. Both sides go through it, so
-- that José and jose find each other. What Unicode has once assigned is normalized in the same way for ever (UAX #15, section 3), hence IMMUTABLE. Most
-- texts are ASCII and done with at once, in 0.5 µs; with accents it takes 4 µs, of some 35 that a record takes to store. This is no SQL
-- function because its argument is needed twice, which keeps PostgreSQL from inlining those.
CREATE FUNCTION search_folded(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text;
BEGIN
  IF octet_length(given) = length(given) THEN
    RETURN lower(given);
  END IF;
  folded := lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g'));
  IF octet_length(folded) > length(folded) THEN
    folded := translate(normalize(folded, NFC), 'øØłŁđĐħĦŧŦı', 'oollddhhtti');
    folded := replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  END IF;
  -- One character can become many, and the cut below is made before.
  IF octet_length(folded) > 2000 THEN
    RETURN regexp_replace(folded, '([^ ]{250}[^ ]{250})[^ ]+', '\1', 'g');
  END IF;
  RETURN folded;
END
$$;

-- The words of a text, as `q` finds them: folded, cut at blanks and ASCII punctuation, so that e-mail addresses and numbers fall into their
-- parts. PostgreSQL's own parser keeps an address whole, and half an address would not find it. Each word begins with the end of the organization's
-- id: so one index holds every organization's words apart, and needs no entry per record for the organization itself. Its body is bound
-- as it is made: what maintains indexes looks for functions in no schema of ours.
CREATE FUNCTION search_words(organization uuid, given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_to_tsvector(array_remove(string_to_array(
    right(organization::text, 12) || replace(
      translate(search_folded(given), E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r\u00A0', repeat(' ', 36)), ' ', ' ' || right(organization::text, 12)),
    ' '), right(organization::text, 12)));

-- What is searched for: every word of the text, each as the beginning of one. Null when there is no word. No word holds a quote or a backslash.
CREATE FUNCTION search_query(organization uuid, given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(search_words(organization, given))) AS word
$$;

-- A word may have 2,046 bytes, hence the cut.
CREATE INDEX accounts_search ON accounts USING gin
  ((search_words(organization_id, left(coalesce(name, ''), 500) || ' ' || left(coalesce(account_number, ''), 500) || ' ' || left(coalesce(website, ''), 500))));
CREATE INDEX contacts_search ON contacts USING gin
  ((search_words(organization_id, left(coalesce(first_name, ''), 500) || ' ' || left(coalesce(last_name, ''), 500) || ' ' || left(coalesce(email, ''), 500))));
CREATE INDEX cases_search ON cases USING gin
  ((search_words(organization_id, left(coalesce(case_number, ''), 500) || ' ' || left(coalesce(subject, ''), 500) || ' ' || left(coalesce(supplied_name, ''), 500) || ' ' || left(coalesce(supplied_email, ''), 500))));
CREATE INDEX activities_search ON activities USING gin
  ((search_words(organization_id, left(coalesce(subject, ''), 500))));
CREATE INDEX leads_search ON leads USING gin
  ((search_words(organization_id, left(coalesce(first_name, ''), 500) || ' ' || left(coalesce(last_name, ''), 500) || ' ' || left(coalesce(company, ''), 500) || ' ' || left(coalesce(email, ''), 500))));
CREATE INDEX opportunities_search ON opportunities USING gin
  ((search_words(organization_id, left(coalesce(name, ''), 500))));
CREATE INDEX products_search ON products USING gin
  ((search_words(organization_id, left(coalesce(name, ''), 500) || ' ' || left(coalesce(sku, ''), 500))));
