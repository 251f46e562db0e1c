import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { AppConfig } from '../platform/config/app-config.js';
import { languages, type Language } from '../platform/errors/app-error.js';
import { commonErrors } from '../platform/errors/common.errors.js';
import { toErrorBody } from '../platform/http/errors/error.filter.js';
import { limitConnections } from '../platform/http/limits/connection-limits.js';
import { defaultHttpTimeouts } from '../platform/http/limits/timeouts.js';
import { requestIdFrom } from '../platform/http/observability/request-id.middleware.js';

/** Retry-After in seconds; most migrations are finished by then. */
const RETRY_AFTER = 2;

/**
 * Responds while another process migrates the schema, which the application needs to start: the process is alive, but
 * every request gets an error with Retry-After.
 */
export class MaintenanceServer {
  private server: Server | null = null;

  constructor(private readonly config: AppConfig) {}

  /** @throws EADDRINUSE and other errors of `listen` */
  async listen(): Promise<void> {
    const server = createServer(handleRequest);
    limitConnections(server, this.config.maxConnections, defaultHttpTimeouts, new Logger('Connections'));
    server.listen(this.config.port);
    await once(server, 'listening');
    this.server = server;
  }

  /** Frees the port for the application. @returns the port that it listened on; null when it didn't listen */
  async close(): Promise<number | null> {
    const { server } = this;
    this.server = null;
    if (server === null) return null;
    const { port } = server.address() as AddressInfo;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    return port;
  }

  /** The port it listens on; null when it doesn't listen. */
  get port(): number | null {
    return (this.server?.address() as AddressInfo | null | undefined)?.port ?? null;
  }
}

function handleRequest({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
  const id = requestIdFrom(headers['x-request-id']);
  const isLivenessCheck = url === '/healthz' && (method === 'GET' || method === 'HEAD');
  const body = isLivenessCheck
    ? { status: 'ok' }
    : toErrorBody(commonErrors.SERVICE_UNAVAILABLE(), parseLanguage(headers['accept-language']), id);
  response.writeHead(isLivenessCheck ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    // The body is not read, and a kept connection would outlive this server.
    Connection: 'close',
    ...(isLivenessCheck ? {} : { 'Retry-After': String(RETRY_AFTER) }),
  });
  response.end(method === 'HEAD' ? undefined : JSON.stringify(body));
}

/** Returns the preferred language if it is supported, else English. */
function parseLanguage(accepted = ''): Language {
  return languages.find((language) => accepted.trim().toLowerCase().startsWith(language)) ?? 'en';
}
