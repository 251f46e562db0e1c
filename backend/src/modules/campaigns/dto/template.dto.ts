import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { OneLine, Trim } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

export class TemplateFormDto {
  @Trim()
  @OneLine()
  @MaxLength(255, localized('The name is too long', 'Ad çok uzun'))
  @IsNotEmpty(localized('Name is required', 'Ad zorunludur'))
  @IsString(localized('Name is required', 'Ad zorunludur'))
  name: string;

  @Trim()
  @OneLine()
  @MaxLength(255, localized('The subject line is too long', 'Konu satırı çok uzun'))
  @IsNotEmpty(localized('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  @IsString(localized('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  subject: string;

  @IsNotEmpty(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
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

/** Content to preview before saving. */
export class PreviewDto {
  @Trim()
  @OneLine()
  @MaxLength(255, localized('The subject line is too long', 'Konu satırı çok uzun'))
  @IsString(localized('Please enter a subject line', 'Lütfen bir konu satırı girin'))
  subject: string;

  @IsNotEmpty(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  @IsString(localized('Please enter email content', 'Lütfen e-posta içeriğini girin'))
  htmlContent: string;
}

export class TestMailDto {
  /** The recipient: your own address. */
  sentTo: string;
}
