-- Two things kept texts from being found. A sigma at the end of a Greek word has a form of its own, which has no
-- capital: “ΓΙΩΡΓΟΣ” did not find “Γιώργος”. And texts that are copied bring characters that nobody sees: soft
-- hyphens, joiners, marks of direction and of the byte order. A name with one of these was not found, or stood last in
-- the alphabet. Otherwise as in the migration `search`. Its comments say why it is as it is.
CREATE OR REPLACE FUNCTION search_folded(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text;
BEGIN
  IF octet_length(given) = length(given) THEN
    RETURN lower(given);
  END IF;
  folded := lower(regexp_replace(normalize(given, NFKD),
    '[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'));
  IF octet_length(folded) > length(folded) THEN
    folded := translate(normalize(folded, NFC), 'øØłŁđĐħĦŧŦıς', 'oollddhhttiσ');
    folded := replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  END IF;
  -- One character can become many, and the cut below is made before.
  IF octet_length(folded) > 2000 THEN
    RETURN regexp_replace(folded, '([^ ]{250}[^ ]{250})[^ ]+', '\1', 'g');
  END IF;
  RETURN folded;
END
$$;
