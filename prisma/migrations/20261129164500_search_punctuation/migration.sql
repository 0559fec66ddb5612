-- Words are cut at the punctuation that telephones and word processors write, too: ’ “ ” – — … « » ¿ ¡ 、 。 "O’Brien" was one word, which nobody
-- found who typed "O'Brien". Otherwise as in the migration `search`. Its comments say why it is as it is.
CREATE OR REPLACE FUNCTION search_words(organization uuid, VARIADIC given text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $$
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
    mark || regexp_replace(joined, E'[]!"#$%&\'()*+,./:;<=>?@\\\\^_`{|}~ \\t\\n\\r\u00A0\u00A1\u00AB\u00B7\u00BB\u00BF\u2010-\u2027\u2030-\u205E\u3001-\u3003[-]+', ' ' || mark, 'g'), ' '), mark));
END
$$;

-- Replacing it takes this mark away, without which searches would read whole organizations until the preparation has given it again. Where the owner is
-- no superuser, whoever gave it has to give it again (docs/deploy.md, “Upgrades”).
DO $$
BEGIN
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER FUNCTION search_words(uuid, VARIADIC text[]) LEAKPROOF;
  END IF;
END
$$;
