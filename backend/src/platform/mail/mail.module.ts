import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { Dns } from './dns/dns.js';
import { SenderRecordsService } from './dns/sender-records.service.js';
import { BulkMailer } from './bulk/bulk-mailer.js';
import { MailHealth, MailState } from './mail-health.service.js';
import { MailLayout } from './mail-layout.js';
import { MailService } from './mail.service.js';
import { MailboxController } from './mailbox/mailbox.controller.js';
import { MailboxKey } from './mailbox/mailbox-key.js';
import { SmtpUtf8 } from './smtp-utf8.service.js';
import { MailTrial, TrialTimings } from './trial/mail-trial.js';
import { Mailbox } from './mailbox/mailbox.js';

@Module({ providers: [Mailbox, MailboxKey], exports: [Mailbox, MailboxKey] })
class MailboxModule {}

@Global()
@Module({
  imports: [
    MikroOrmModule.forFeature([MailState]),
    MailboxModule,
    // Transports come with the first mail: the server can be set while the product runs.
    MailerModule.forRoot({ transports: {} }),
  ],
  controllers: [MailboxController],
  providers: [
    ...[BulkMailer, Dns, MailHealth, MailLayout, MailService, MailTrial, SenderRecordsService, SmtpUtf8],
    TrialTimings,
  ],
  exports: [BulkMailer, MailHealth, MailService, MailTrial, SenderRecordsService, SmtpUtf8],
})
export class MailModule {}
