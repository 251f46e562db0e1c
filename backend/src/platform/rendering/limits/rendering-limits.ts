import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { GIB, MIB } from '../../text/byte-units.js';

/** Limits of rendering, lower in tests. Times are in milliseconds. */
@Injectable()
export class RenderingLimits {
  /** For starting a process. */
  startTimeout = 30 * SECOND;
  /** For downloading a document from the storage. */
  fetchTimeout = MINUTE;
  openTimeout = 20 * SECOND;
  pageTimeout = 10 * SECOND;
  /** The process exits after being idle for this long. */
  idleTimeout = MINUTE;
  /** Maximum number of queued commands, including the running one. */
  maxQueued = 32;
  /** Maximum number of documents kept open. */
  maxOpenDocuments = 2;
  /** Maximum size of a document, in bytes; it is held in the memory of the rendering process. */
  maxBytes = 256 * MIB;
  /** Maximum size of an SVG, in bytes, because a few bytes can already require much work. */
  maxSvgBytes = 5 * MIB;
  /** CPU time for converting a document with LibreOffice, and its address space limit in bytes. */
  officeTimeout = MINUTE;
  officeMemory = 2 * GIB;
}
