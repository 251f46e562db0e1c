import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { GIB, MIB } from '../../text/sizes.js';

/** How long and how much of drawing is waited for; suites make it less. Times are milliseconds. */
@Injectable()
export class DrawingLimits {
  /** For a process to begin. */
  start = 30 * SECOND;
  /** For a document to come from the storage. */
  fetch = MINUTE;
  open = 20 * SECOND;
  page = 10 * SECOND;
  /** After the last wish the process ends. */
  idle = MINUTE;
  /** Wishes that wait, the one under way included. */
  wishes = 32;
  /** Documents that are kept open. */
  documents = 2;
  /** Bytes of a document: it lies in the memory of the process that draws. */
  bytes = 256 * MIB;
  /** Bytes of a drawing (SVG): a few of them are much work already. */
  svg = 5 * MIB;
  /** For LibreOffice to make a PDF of a document, and the address space that it may take meanwhile. */
  office = MINUTE;
  officeMemory = 2 * GIB;
}
