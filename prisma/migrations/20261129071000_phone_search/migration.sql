-- Search by telephone numbers. Written by hand: a Prisma schema has no functions.

-- The telephone numbers of a record, as `q` finds them: the digits of each, the last one first, so that the end of a number is the beginning
-- of a word, however its country and area are written: "+49 (0)30 12345678" and "030/12345678" end alike. An extension is no part of it: the number ends
-- before the first letter behind a digit, or `#` or `;`. Each word begins with the end of the organization's id, as in search_words. One function, in
-- PL/pgSQL, and as expensive as that one, for its reasons: it neither fails nor reveals what it splits.
CREATE FUNCTION phone_words(organization uuid, VARIADIC given text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
DECLARE
  mark constant text := right(organization::text, 12);
  words text[] := '{}';
  one text;
BEGIN
  FOREACH one IN ARRAY given LOOP
    IF one <> '' THEN
      one := left(one, 100);
      IF octet_length(one) > length(one) THEN
        one := normalize(one, NFKC);
      END IF;
      one := regexp_replace(substring(one FROM '[0-9][^A-Za-z#;]*'), '[^0-9]', '', 'g');
      IF length(one) >= 5 THEN
        words := words || (mark || reverse(right(one, 20)));
      END IF;
    END IF;
  END LOOP;
  RETURN array_to_tsvector(words);
END
$$;

-- The numbers that end with these digits.
CREATE FUNCTION phone_query(organization uuid, digits text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('''' || right(organization::text, 12) || reverse(digits) || ''':*')::tsquery
$$;
