import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { cameDirectly } from '../http/direct-peer.js';
import { digestOf, sameDigest } from '../security/secrets.js';

/**
 * Figures are for those who run the installation: with METRICS_TOKEN for whoever bears it, without for a program on this
 * machine that asks directly. Others are told that there is nothing here.
 */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { metricsToken } = this.config;
    const allowed = metricsToken === null ? cameDirectly(request) : bears(request, metricsToken);
    if (allowed) return true;
    throw commonErrors.NOT_FOUND();
  }
}

function bears({ headers }: Request, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return sameDigest(digestOf(given), digestOf(token));
}
