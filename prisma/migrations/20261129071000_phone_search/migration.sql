-- Search by phone numbers. Written by hand: a Prisma schema has no functions.

-- The phone numbers of a record, as `q` finds them: the digits of each, the last one first, so that the end of a number is the beginning
-- of a word, however its country and area are written: "+49 (0)30 12345678" and "030/12345678" end alike. A field can hold several. Digits, blanks,
-- parentheses, dots, dashes and slashes, apostrophes, and characters that nobody sees continue a number; all else ends it: another `+`, a letter (an
-- extension begins with one), a comma. So does a slash before `0` or a parenthesis, and a parenthesis before an area with its zero. What has fewer
-- than five digits then is no number. Each word begins with the end of the organization's id, as in search_words. One function, in PL/pgSQL, and as
-- expensive as that one, for its reasons: it neither fails nor reveals what it splits. `phone-suffix.ts` splits in the same way.
CREATE FUNCTION phone_words(organization uuid, VARIADIC given text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
DECLARE
  mark constant text := right(organization::text, 12);
  words text[] := '{}';
  one text;
  number text;
BEGIN
  FOREACH one IN ARRAY given LOOP
    IF one <> '' THEN
      one := left(one, 500);
      IF octet_length(one) > length(one) THEN
        one := normalize(one, NFKC);
      END IF;
      FOREACH number IN ARRAY regexp_split_to_array(one,
        E'[^0-9 \t()./''_\u00AD\u00B7\u2000-\u2015\u202A-\u202F\u2060-\u2064\u2212\uFEFF-]+|/[ \t]*(?=[0(])|[(](?=0[0-9])') LOOP
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
