import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { GIB, MIB } from '../../text/byte-units.js';

/** How long and how much of drawing is waited for; suites make it less. Times are milliseconds. */
@Injectable()
export class RenderingLimits {
  /** For a process to begin. */
  startTimeout = 30 * SECOND;
  /** For a document to come from the storage. */
  fetchTimeout = MINUTE;
  openTimeout = 20 * SECOND;
  pageTimeout = 10 * SECOND;
  /** After the last wish the process ends. */
  idleTimeout = MINUTE;
  /** Wishes that wait, the one under way included. */
  maxQueued = 32;
  /** Documents that are kept open. */
  maxOpenDocuments = 2;
  /** Bytes of a document: it lies in the memory of the process that draws. */
  maxBytes = 256 * MIB;
  /** Bytes of a drawing (SVG): a few of them are much work already. */
  maxSvgBytes = 5 * MIB;
  /** For LibreOffice to make a PDF of a document, and the address space that it may take meanwhile. */
  officeTimeout = MINUTE;
  officeMemory = 2 * GIB;
}
