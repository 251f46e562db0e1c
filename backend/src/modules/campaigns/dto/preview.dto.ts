import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { OneLine, Trimmed } from '../../../platform/http/fields.js';
import { say } from '../../../platform/http/validation.js';

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
  /** Where it goes: your own address. */
  sentTo: string;
}
