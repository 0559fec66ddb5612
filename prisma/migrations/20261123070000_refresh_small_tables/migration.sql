-- Only while a table is small: then its statistics matter most, and those of a small sample are better than none. A large table keeps the better ones
-- that autovacuum has made for all organizations. Written by hand.
CREATE OR REPLACE FUNCTION refresh_statistics(resource text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp SET default_statistics_target = 10 AS $$
DECLARE
  relation constant regclass := format('public.%I', resource)::regclass;
BEGIN
  IF (SELECT reltuples FROM pg_class WHERE oid = relation) > 100000 THEN
    RETURN;
  END IF;
  EXECUTE format('ANALYZE %s (%s)', relation, (
    SELECT string_agg(DISTINCT quote_ident(a.attname), ', ')
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = relation
  ));
END;
$$;
