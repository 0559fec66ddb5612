-- Search by phone numbers. Written by hand: a Prisma schema has no functions.

-- The phone numbers of a record, as `q` finds them: the digits of each, the last one first, so that the end of a number is the beginning
-- of a word, however its country and area are written: "+49 (0)30 12345678" and "030/12345678" end alike. A field can hold several: one ends before a
-- letter, as an extension begins with one, or before `#;,|` or a line's end, and before a slash if a new number begins behind it, with `+`, `0` or a
-- parenthesis. Each word begins with the end of the organization's id, as in search_words. One function, in PL/pgSQL, and as expensive as that
-- one, for its reasons: it neither fails nor reveals what it splits.
CREATE FUNCTION phone_words(organization uuid, VARIADIC given text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
DECLARE
  mark constant text := right(organization::text, 12);
  words text[] := '{}';
  one text;
  number text;
BEGIN
  FOREACH one IN ARRAY given LOOP
    IF one <> '' THEN
      one := left(one, 200);
      IF octet_length(one) > length(one) THEN
        one := normalize(one, NFKC);
      END IF;
      FOREACH number IN ARRAY regexp_split_to_array(one, E'[A-Za-z#;,|\\n]+|/\\s*(?=[+0(])') LOOP
        number := regexp_replace(number, '[^0-9]', '', 'g');
        IF length(number) >= 5 THEN
          words := words || (mark || reverse(right(number, 20)));
        END IF;
      END LOOP;
    END IF;
  END LOOP;
  RETURN array_to_tsvector(words);
END
$$;

-- The numbers that end with these digits.
CREATE FUNCTION phone_query(organization uuid, digits text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('''' || right(organization::text, 12) || reverse(digits) || ''':*')::tsquery
$$;
