import type { User } from '../entities/user.entity.js';

declare module '../../../platform/events/domain-events.js' {
  interface DomainEvents {
    /** A user's name has changed; subscribers update their copies. */
    'user.renamed': { readonly user: User };
    /** A user's address has changed; subscribers update what they store by it. The user's row is locked. */
    'user.emailChanged': { readonly user: User; readonly from: string };
    /** An account was deactivated; subscribers stop what runs for it. */
    'user.deactivated': { readonly user: User };
    /** An account was reactivated. */
    'user.activated': { readonly user: User };
  }
}
