import { Controller, Get, Res, UseGuards, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { Public } from '../http/access.decorator.js';
import { MetricsService } from './metrics.service.js';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { digestOf, areDigestsEqual } from '../security/secrets.js';
import { defineErrors } from '../errors/app-error.js';

export const healthErrors = defineErrors({
  METRICS_TOKEN_REQUIRED: {
    status: 401,
    en: 'Metrics require the METRICS_TOKEN as a bearer token.',
    tr: 'Ölçümler için bearer anahtarı olarak METRICS_TOKEN gerekir.',
  },
});

/**
 * Metrics are for operators only: every request needs METRICS_TOKEN, whatever its origin. Without that variable the
 * endpoint is disabled. Local requests are no exception, because a proxy can make every request look local.
 */
@Injectable()
export class MetricsGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { metricsToken } = this.config;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (metricsToken === null) throw commonErrors.NOT_FOUND();
    if (hasBearerToken(request, metricsToken)) return true;
    http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer');
    throw healthErrors.METRICS_TOKEN_REQUIRED();
  }
}

function hasBearerToken({ headers }: Request, token: string): boolean {
  const presentedToken = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return areDigestsEqual(digestOf(presentedToken), digestOf(token));
}

@ApiExcludeController()
@SkipThrottle()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Public()
  @UseGuards(MetricsGuard)
  async read(@Res() response: Response): Promise<void> {
    const text = await this.metrics.read();
    response.setHeader('Cache-Control', 'no-store');
    response.type(this.metrics.contentType).send(text);
  }
}
