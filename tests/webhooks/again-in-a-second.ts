// Before any module of the project is loaded: what fails is tried again soon.
process.env.WEBHOOK_RETRY_SECONDS = "1,1,1";
