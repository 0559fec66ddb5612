-- Looks only at the columns of indexes, because the plans of an import need no others. Texts, custom fields and the words of the search take nearly all
-- of the time of ANALYZE. With a list of columns it leaves the count of changed rows as it is, so autovacuum still looks at everything. Written by hand.
CREATE OR REPLACE FUNCTION refresh_statistics(resource text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('ANALYZE public.%I (%s)', resource, (
    SELECT string_agg(DISTINCT quote_ident(a.attname), ', ')
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = format('public.%I', resource)::regclass
  ));
END;
$$;
