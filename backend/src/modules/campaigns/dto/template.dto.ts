import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { OneLine, Trimmed } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';

export class TemplateFormDto {
  @Trimmed()
  @OneLine()
  @MaxLength(255, say('The name is too long', 'Ad çok uzun'))
  @IsNotEmpty(say('Name is required', 'Ad zorunludur'))
  @IsString(say('Name is required', 'Ad zorunludur'))
  name: string;

  @Trimmed()
  @OneLine()
  @MaxLength(255, say('The subject line is too long', 'Konu satırı çok uzun'))
  @IsNotEmpty(say('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  @IsString(say('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  subject: string;

  @IsNotEmpty(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  htmlContent: string;
}

export class TemplateDto {
  /** null for the built-in ones. */
  id: number | null;
  /** `welcome` or `announcement` for the built-in ones, null for yours. */
  @ApiProperty({ enum: ['welcome', 'announcement'], nullable: true, type: String })
  builtIn: 'welcome' | 'announcement' | null;
  name: string;
  subject: string;
  htmlContent: string;
}

/** What is to be looked at before it is kept. */
export class PreviewDto {
  @Trimmed()
  @OneLine()
  @MaxLength(255, say('The subject line is too long', 'Konu satırı çok uzun'))
  @IsString(say('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  subject: string;

  @IsNotEmpty(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(say('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  htmlContent: string;
}

export class TestMailDto {
  /** The recipient: your own address. */
  sentTo: string;
}
