import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { localized } from '../../../platform/http/parsing/validation.js';

/** Getting-started steps that no table records, and the dismissal of the list. */
export const startSteps = freezeList(['visitorPreview', 'link', 'closed'] as const);
export type StartStep = (typeof startSteps)[number];

/** Completed steps of the onboarding checklist. */
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
  // The API calls a member a reader here.
  reader: boolean;
}

export class StartStepDto {
  @ApiProperty({ enum: startSteps })
  @IsIn(startSteps, localized('Please give a step of the list.', 'Lütfen listenin bir adımını belirtin.'))
  step: StartStep;
}
