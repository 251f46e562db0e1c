import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
const LOCAL_HOST = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/i;

/** Headers that a proxy, a tunnel or a content network adds. */
const FORWARDED =
  /^(x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|x-amz.*|x-azure-.*|x-appengine-.*|true-client-ip|cdn-loop|cf-.*|fastly-.*|fly-.*)$/;

/**
 * Hides the development mailbox from everybody but a person at this machine: it shows codes and links of others.
 * The peer must be this machine, the name asked for as well (a foreign name could be pointed here), and nothing may
 * have forwarded the request. With a mail server there is no mailbox.
 */
@Injectable()
export class MailboxGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.config.smtpUrl === null && isLocal(request)) return true;
    throw commonErrors.NOT_FOUND();
  }
}

function isLocal({ socket, headers }: Request): boolean {
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    LOCAL_HOST.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDED.test(name))
  );
}
