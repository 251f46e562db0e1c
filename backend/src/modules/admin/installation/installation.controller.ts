import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Confirmed, SessionOnly, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { Change } from '../../../platform/http/change.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import { SenderRecordsService } from '../../../platform/mail/dns/sender-records.service.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ChangeInstallationDto, InstallationDto } from './installation.dto.js';
import { InstallationChanges } from './installation-changes.service.js';
import { SetMailServerDto, SenderRecordsDto, TryMailServerDto, MailServerTrialDto } from './mail/mail-server.dto.js';
import { MailSettings } from './mail/mail-settings.service.js';

@ApiTags('admin')
@Controller('api/admin/installation')
export class InstallationController {
  constructor(
    private readonly installation: InstallationChanges,
    private readonly mail: MailSettings,
    private readonly records: SenderRecordsService,
  ) {}

  @Get()
  @SuperAdminOnly()
  @SessionOnly()
  @Answers('Get the site settings and where each value comes from', InstallationDto)
  show(): Promise<InstallationDto> {
    return this.installation.show();
  }

  @Patch()
  @SuperAdminOnly()
  @Confirmed()
  @Answers('Change site settings; every process applies them within seconds', InstallationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, adminErrors.SETTING_OVERRIDDEN)
  change(@Change() changes: ChangeInstallationDto, @CurrentActor() by: Actor): Promise<InstallationDto> {
    return this.installation.change(changes, by);
  }

  @Put('mail')
  @SuperAdminOnly()
  @Confirmed()
  @Answers('Set the email server; every process uses it within seconds', InstallationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, adminErrors.SETTING_OVERRIDDEN)
  async setMail(@Body() server: SetMailServerDto, @CurrentActor() by: Actor): Promise<InstallationDto> {
    await this.mail.change(server, by);
    return this.installation.show();
  }

  @Delete('mail')
  @SuperAdminOnly()
  @Confirmed()
  @Answers('Remove the email server; emails are kept until there is another one', InstallationDto)
  @ApiErrors(adminErrors.SETTING_OVERRIDDEN)
  async forgetMail(@CurrentActor() by: Actor): Promise<InstallationDto> {
    await this.mail.change(null, by);
    return this.installation.show();
  }

  @Post('test-mail')
  @HttpCode(200)
  @SuperAdminOnly()
  @SessionOnly()
  @Answers('Send a test email through the given or the current email server, and report the result', MailServerTrialDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS, adminErrors.SETTING_OVERRIDDEN)
  testMail(
    @Body() dto: TryMailServerDto,
    @RequestLanguage() language: Language,
    @CurrentActor() by: Actor,
  ): Promise<MailServerTrialDto> {
    return this.mail.test(dto, language, by);
  }

  @Get('dns')
  @SuperAdminOnly()
  @SessionOnly()
  @Answers("Check the DNS records of the sender's domain, and get the required ones", SenderRecordsDto)
  dns(): Promise<SenderRecordsDto> {
    return this.records.look();
  }
}
