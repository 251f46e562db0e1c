import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireReauthentication, SessionOnly, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { NonEmptyBody } from '../../../platform/http/non-empty-body.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { SenderRecordsService } from '../../../platform/email/dns/sender-records.service.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { ChangeInstallationDto, InstallationDto } from './installation.dto.js';
import { InstallationService } from './installation.service.js';
import { SetMailServerDto, SenderRecordsDto, TryMailServerDto, MailServerTrialDto } from './mail/mail-server.dto.js';
import { MailServerSettingsService } from './mail/mail-server-settings.service.js';

@ApiTags('admin')
@Controller('api/admin/installation')
export class InstallationController {
  constructor(
    private readonly installation: InstallationService,
    private readonly mail: MailServerSettingsService,
    private readonly records: SenderRecordsService,
  ) {}

  @Get()
  @SuperAdminOnly()
  @SessionOnly()
  @ApiJson('Get the site settings and where each value comes from', InstallationDto)
  show(): Promise<InstallationDto> {
    return this.installation.getInstallation();
  }

  @Patch()
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson('Change site settings; every process applies them within seconds', InstallationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, adminErrors.SETTING_OVERRIDDEN)
  change(@NonEmptyBody() changes: ChangeInstallationDto, @CurrentActor() actor: Actor): Promise<InstallationDto> {
    return this.installation.changeSettings(changes, actor);
  }

  @Put('mail')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson('Set the email server; every process uses it within seconds', InstallationDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, adminErrors.SETTING_OVERRIDDEN)
  async setMail(@Body() server: SetMailServerDto, @CurrentActor() actor: Actor): Promise<InstallationDto> {
    await this.mail.changeServer(server, actor);
    return this.installation.getInstallation();
  }

  @Delete('mail')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiJson('Remove the email server; emails are kept until there is another one', InstallationDto)
  @ApiErrors(adminErrors.SETTING_OVERRIDDEN)
  async forgetMail(@CurrentActor() actor: Actor): Promise<InstallationDto> {
    await this.mail.changeServer(null, actor);
    return this.installation.getInstallation();
  }

  @Post('test-mail')
  @HttpCode(200)
  @SuperAdminOnly()
  @SessionOnly()
  @ApiJson('Send a test email through the given or the current email server, and report the result', MailServerTrialDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS, adminErrors.SETTING_OVERRIDDEN)
  testMail(
    @Body() dto: TryMailServerDto,
    @RequestLanguage() language: Language,
    @CurrentActor() actor: Actor,
  ): Promise<MailServerTrialDto> {
    return this.mail.sendTestEmail(dto, language, actor);
  }

  @Get('dns')
  @SuperAdminOnly()
  @SessionOnly()
  @ApiJson("Check the DNS records of the sender's domain, and get the required ones", SenderRecordsDto)
  dns(): Promise<SenderRecordsDto> {
    return this.records.checkRecords();
  }
}
