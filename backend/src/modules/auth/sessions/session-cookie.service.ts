import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { clientAddressOf } from '../../../platform/http/networks/client-network.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { BrowserCookie } from '../shared/browser-cookies.js';
import { getDeviceId, writeDeviceCookie } from '../shared/device-cookie.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { SESSION_LIFETIME } from './session.policy.js';

/** The cookie that holds the session id. */
@Injectable()
export class SessionCookieService extends BrowserCookie {
  constructor(private readonly appConfig: AppConfig) {
    super(appConfig, 'zonary_session', SESSION_LIFETIME, 'lax');
  }

  /** Also writes the device cookie. */
  override write(response: Response, sid: string): void {
    super.write(response, sid);
    writeDeviceCookie(response, this.appConfig.isSecure);
  }
}

/** Returns where a request comes from, for the session list and for consents. */
export function getSessionOrigin(request: AppRequest): SessionOrigin {
  const ipAddress = clientAddressOf(request);
  return { ipAddress, userAgent: request.get('user-agent') ?? null, device: getDeviceId(request) };
}
