import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { localized } from '../../../platform/http/parsing/validation.js';

/** What a new owner does that no row tells, and that the list is to go. */
export const startSteps = freezeList(['visitorPreview', 'link', 'closed'] as const);
export type StartStep = (typeof startSteps)[number];

/** What is done of the list for new owners. */
export class StartDto {
  /** The list was closed and isn't shown again. */
  closed: boolean;
  /** A zone was created. */
  zone: boolean;
  /** A file was uploaded. */
  file: boolean;
  /** The visitor preview of a zone was opened. */
  visitorPreview: boolean;
  /** A link was copied. */
  link: boolean;
  /** A member has joined. */
  reader: boolean;
}

export class StartStepDto {
  @ApiProperty({ enum: startSteps })
  @IsIn(startSteps, localized('Please give a step of the list.', 'Lütfen listenin bir adımını belirtin.'))
  step: StartStep;
}
