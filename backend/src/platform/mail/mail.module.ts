import { Global, Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { AppConfig } from '../config/app-config.js';
import { BulkMailer } from './bulk-mailer.js';
import { MailLayout } from './mail-layout.js';
import { mailerOptions } from './mail-transport.js';
import { MailService } from './mail.service.js';
import { MailboxController } from './mailbox.controller.js';
import { Mailbox } from './mailbox.js';

@Module({ providers: [Mailbox], exports: [Mailbox] })
class MailboxModule {}

@Global()
@Module({
  imports: [
    MailboxModule,
    MailerModule.forRootAsync({
      imports: [MailboxModule],
      inject: [AppConfig, Mailbox],
      useFactory: mailerOptions,
    }),
  ],
  controllers: [MailboxController],
  providers: [BulkMailer, MailLayout, MailService],
  exports: [BulkMailer, MailService],
})
export class MailModule {}
