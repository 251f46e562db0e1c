import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { DnsTxtResolver } from './dns/dns-txt-resolver.js';
import { SenderRecordsService } from './dns/sender-records.service.js';
import { BulkMailer } from './bulk/bulk-mailer.js';
import { MailServerHealthService } from './mail-server-health.service.js';
import { MailState } from './mail-state.entity.js';
import { MailStateRepository } from './mail-state.repository.js';
import { EmailLayout } from './email-layout.js';
import { EmailService } from './email.service.js';
import { MailboxController } from './mailbox/mailbox.controller.js';
import { MailboxKey } from './mailbox/mailbox-key.js';
import { SmtpUtf8Service } from './smtp-utf8.service.js';
import { MailServerTest, MailServerTestTimings } from './smtp-test/mail-server-test.js';
import { Mailbox } from './mailbox/mailbox.js';

@Module({ providers: [Mailbox, MailboxKey], exports: [Mailbox, MailboxKey] })
class MailboxModule {}

@Global()
@Module({
  imports: [
    MikroOrmModule.forFeature([MailState]),
    MailboxModule,
    // Transports are created with the first email, because the mail server can be configured at runtime.
    MailerModule.forRoot({ transports: {} }),
  ],
  controllers: [MailboxController],
  providers: [
    ...[
      BulkMailer,
      DnsTxtResolver,
      MailServerHealthService,
      MailStateRepository,
      EmailLayout,
      EmailService,
      MailServerTest,
      SenderRecordsService,
      SmtpUtf8Service,
    ],
    MailServerTestTimings,
  ],
  exports: [
    BulkMailer,
    MailServerHealthService,
    MailStateRepository,
    EmailService,
    MailServerTest,
    SenderRecordsService,
    SmtpUtf8Service,
  ],
})
export class EmailModule {}
