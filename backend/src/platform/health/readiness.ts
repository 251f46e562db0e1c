import { Injectable } from '@nestjs/common';

/** Whether this process wants requests; a stopping one tells the balancer before it closes. */
@Injectable()
export class Readiness {
  stopping = false;
}
