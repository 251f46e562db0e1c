/** A complete request or response that is passed on after `until`. */
export interface HeldFault {
  readonly held: 'request' | 'response';
  readonly onHeld: () => void;
  readonly until: Promise<void>;
}

/** Waits if the fault holds back this side of the call. */
export async function holdBack(fault: unknown, side: HeldFault['held']): Promise<void> {
  if (!isHeld(fault) || fault.held !== side) return;
  fault.onHeld();
  await fault.until;
}

const isHeld = (fault: unknown): fault is HeldFault => typeof fault === 'object' && fault !== null && 'held' in fault;
