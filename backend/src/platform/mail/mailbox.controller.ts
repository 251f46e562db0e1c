import { Controller, Get, Header, Param, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { commonErrors } from '../errors/common.errors.js';
import { Public } from '../http/access.decorator.js';
import { listPage, messageBody, messagePage } from './mailbox-pages.js';
import { Mailbox, type MailboxMessage } from './mailbox.js';
import { MailboxGuard } from './mailbox.guard.js';

const HTML = 'text/html; charset=utf-8';
/** What a mail holds is shown as a mail program would: no script, no form, nothing fetched from elsewhere. */
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
