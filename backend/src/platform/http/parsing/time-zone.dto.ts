import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, registerDecorator, type ValidationOptions } from 'class-validator';
import { isTimeZone } from '../../clock/time-zone.js';
import { localized } from './validation.js';

/** An IANA time zone name. */
export const IsTimeZoneName =
  (options: ValidationOptions = localized('Please choose a time zone.', 'Lütfen bir saat dilimi seçin.')) =>
  (target: object, propertyName: string) =>
    registerDecorator({
      name: 'isTimeZone',
      target: target.constructor,
      propertyName,
      options,
      validator: { validate: isTimeZone },
    });

/** Query of daily figures. */
export class TimeZoneQueryDto {
  /** Time zone for daily figures, as an IANA name such as Europe/Istanbul. Default: your settings, or UTC. */
  @ApiPropertyOptional({ maxLength: 60 })
  @IsOptional()
  @IsTimeZoneName()
  timeZone?: string;
}
