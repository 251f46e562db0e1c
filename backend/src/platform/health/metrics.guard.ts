import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { digestOf, sameDigest } from '../security/secrets.js';
import { healthErrors } from './health.errors.js';

/**
 * Figures are for those who run the installation: for whoever bears METRICS_TOKEN. Without that variable there are none,
 * for this machine as little as for others: which address a request came from says nothing behind a proxy.
 */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { metricsToken } = this.config;
    if (metricsToken === null) throw commonErrors.NOT_FOUND();
    const http = context.switchToHttp();
    if (bears(http.getRequest<Request>(), metricsToken)) return true;
    http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
    throw healthErrors.METRICS_TOKEN();
  }
}

function bears({ headers }: Request, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return sameDigest(digestOf(given), digestOf(token));
}
