import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { say } from '../../../platform/http/reading/validation.js';

/** What a new owner does that no row tells, and that the list is to go. */
export const startSteps = catalogue(['visitorPreview', 'link', 'closed'] as const);
export type StartStep = (typeof startSteps)[number];

/** What is done of the list for new owners. */
export class StartDto {
  /** The list is not to be shown, now or later. */
  closed: boolean;
  /** There is a zone. */
  zone: boolean;
  /** There is a file in one. */
  file: boolean;
  /** A zone was looked at as visitors see it. */
  visitorPreview: boolean;
  /** A link was copied. */
  link: boolean;
  /** Somebody has come into a zone. */
  reader: boolean;
}

export class StartStepDto {
  @ApiProperty({ enum: startSteps })
  @IsIn(startSteps, say('Please name a step of the list.', 'Lütfen listenin bir adımını belirtin.'))
  step: StartStep;
}
