import { createServer, type Server } from 'node:http';

/** Keeps idle connections open. Otherwise, on a busy machine, clients reuse one that the server closes at this moment. */
export const createHttpServer = (): Server => createServer({ keepAliveTimeout: 0 });
