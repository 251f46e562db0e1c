import {
  Controller,
  Get,
  Header,
  Param,
  UseGuards,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { commonErrors } from '../../errors/common.errors.js';
import { Public } from '../../http/access.decorator.js';
import { listPage, messageBody, messagePage } from './mailbox-pages.js';
import { Mailbox, type MailboxMessage } from './mailbox.js';
import type { Request, Response } from 'express';
import { DAY } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { MailboxKey } from './mailbox-key.js';

const COOKIE = 'zonary_mailbox';

/**
 * Restricts the development mailbox to requests with its key, because it shows other people's codes and links. The
 * client's address or headers grant no access, because a proxy can hide the origin of a request.
 */
@Injectable()
export class MailboxGuard implements CanActivate {
  constructor(
    private readonly config: AppConfig,
    private readonly key: MailboxKey,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { key } = request.query;
    if (this.key.isValid(key)) {
      this.setKeyCookie(http.getResponse<Response>(), key as string);
      return true;
    }
    if (this.key.isValid(keyCookieOf(request))) return true;
    throw commonErrors.NOT_FOUND();
  }

  private setKeyCookie(response: Response, key: string): void {
    const { isSecure } = this.config;
    response.cookie(COOKIE, key, { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/dev', maxAge: 30 * DAY });
  }
}

function keyCookieOf({ headers }: Request): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

const HTML = 'text/html; charset=utf-8';
/** Emails are shown as in an email client: no scripts, no forms, and no remote content. */
const BODY_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** The development mailbox. */
@ApiExcludeController()
@Public()
@UseGuards(MailboxGuard)
@Controller('dev')
export class MailboxController {
  constructor(private readonly mailbox: Mailbox) {}

  @Get('mailbox')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', 'no-store')
  async list(): Promise<string> {
    return listPage(await this.mailbox.list());
  }

  @Get('mailbox.json')
  @Header('Cache-Control', 'no-store')
  listJson(): Promise<MailboxMessage[]> {
    return this.mailbox.list();
  }

  @Get('mailbox/:id')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', 'no-store')
  async show(@Param('id') id: string): Promise<string> {
    return messagePage(await this.find(id));
  }

  @Get('mailbox/:id/body')
  @Header('Content-Type', HTML)
  @Header('Cache-Control', 'no-store')
  @Header('Content-Security-Policy', BODY_POLICY)
  async body(@Param('id') id: string): Promise<string> {
    return messageBody(await this.find(id));
  }

  private async find(id: string): Promise<MailboxMessage> {
    const message = await this.mailbox.find(id);
    if (!message) throw commonErrors.NOT_FOUND();
    return message;
  }
}
