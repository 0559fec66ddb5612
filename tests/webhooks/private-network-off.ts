// Before any module of the project is loaded: the service as it runs in production.
process.env.ALLOW_PRIVATE_NETWORK = "false";
