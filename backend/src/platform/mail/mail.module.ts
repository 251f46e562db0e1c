import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { AppConfig } from '../config/app-config.js';
import { BulkMailer } from './bulk/bulk-mailer.js';
import { MailHealth, MailState } from './mail-health.service.js';
import { MailLayout } from './mail-layout.js';
import { mailerOptions } from './mail-transport.js';
import { MailService } from './mail.service.js';
import { MailboxController } from './mailbox/mailbox.controller.js';
import { MailboxKey } from './mailbox/mailbox-key.js';
import { Mailbox } from './mailbox/mailbox.js';

@Module({ providers: [Mailbox, MailboxKey], exports: [Mailbox, MailboxKey] })
class MailboxModule {}

@Global()
@Module({
  imports: [
    MikroOrmModule.forFeature([MailState]),
    MailboxModule,
    MailerModule.forRootAsync({
      imports: [MailboxModule],
      inject: [AppConfig, Mailbox],
      useFactory: mailerOptions,
    }),
  ],
  controllers: [MailboxController],
  providers: [BulkMailer, MailHealth, MailLayout, MailService],
  exports: [BulkMailer, MailHealth, MailService],
})
export class MailModule {}
