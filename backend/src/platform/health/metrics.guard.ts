import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { askedHere } from '../http/direct-peer.js';
import { digestOf, sameDigest } from '../security/secrets.js';
import { healthErrors } from './health.errors.js';

/**
 * Figures are for those who run the installation: with METRICS_TOKEN for whoever bears it, wherever the question comes
 * from; without that variable for this machine alone, and others are told that there is nothing here.
 */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { metricsToken } = this.config;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (metricsToken === null) {
      if (askedHere(request)) return true;
      throw commonErrors.NOT_FOUND();
    }
    if (bears(request, metricsToken)) return true;
    http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
    throw healthErrors.METRICS_TOKEN();
  }
}

function bears({ headers }: Request, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return sameDigest(digestOf(given), digestOf(token));
}
