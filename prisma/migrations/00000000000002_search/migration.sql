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

-- The words of some texts, as `q` finds them: folded, cut at blanks and ASCII punctuation, so that e-mail addresses and numbers fall into their
-- parts. PostgreSQL's own parser keeps an address whole, and half an address would not find it. Each word begins with the end of the organization's
-- id: so one index holds every organization's words apart, and needs no entry per record for the organization itself. A word may have 2,046 bytes, hence
-- the cut. One function from the columns to the words, and in PL/pgSQL, so that it is never replaced by what it consists of: row-level security lets a
-- condition use an index only if all of it is leakproof, which can be promised of this function, and not of each that it calls. It takes 6 µs, and says so: or
-- PostgreSQL would rather walk through all records of an organization, and take the texts of each apart.
CREATE FUNCTION search_words(organization uuid, VARIADIC given text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
DECLARE
  mark constant text := right(organization::text, 12);
  joined text := '';
  one text;
BEGIN
  FOREACH one IN ARRAY given LOOP
    IF one <> '' THEN
      joined := joined || ' ' || left(one, 500);
    END IF;
  END LOOP;
  -- Nearly all texts are ASCII; for these a call is saved.
  joined := CASE WHEN octet_length(joined) = length(joined) THEN lower(joined) ELSE public.search_folded(joined) END;
  -- translate takes three times as long.
  RETURN array_to_tsvector(array_remove(string_to_array(
    mark || regexp_replace(joined, E'[]!"#$%&\'()*+,./:;<=>?@\\\\^_`{|}~ \\t\\n\\r\u00A0[-]+', ' ' || mark, 'g'), ' '), mark));
END
$$;

-- What is searched for: every word of the text, each as the beginning of one. Null when there is no word. No word holds a quote or a backslash.
CREATE FUNCTION search_query(organization uuid, given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(tsvector_to_array(search_words(organization, given))) AS word
$$;

CREATE INDEX accounts_search ON accounts USING gin
  ((search_words(organization_id, name, account_number, website)));
CREATE INDEX contacts_search ON contacts USING gin
  ((search_words(organization_id, first_name, last_name, email)));
CREATE INDEX cases_search ON cases USING gin
  ((search_words(organization_id, case_number, subject, supplied_name, supplied_email)));
CREATE INDEX activities_search ON activities USING gin
  ((search_words(organization_id, subject)));
CREATE INDEX leads_search ON leads USING gin
  ((search_words(organization_id, first_name, last_name, company, email)));
CREATE INDEX opportunities_search ON opportunities USING gin
  ((search_words(organization_id, name)));
CREATE INDEX products_search ON products USING gin
  ((search_words(organization_id, name, sku)));
