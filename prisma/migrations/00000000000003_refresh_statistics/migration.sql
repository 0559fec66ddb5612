-- Lets PostgreSQL look at a table that an import is filling. Only its owner may ask for that, and the service is not; hence SECURITY DEFINER, for tables of ours
-- alone and in a path that nobody else can put anything into. Written by hand: a Prisma schema has no functions.
CREATE FUNCTION refresh_statistics(resource text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('ANALYZE public.%I', resource);
END;
$$;
