/**
 * Long suites, of which `npm test` runs a short case (`backend/test/support/full-or-short.ts`), with what `npm run
 * test:long` runs instead.
 */
export const longSuites = {
  'backend/src/platform/text/plain-name.spec.ts': '20,000 made-up names instead of 4,000',
  'backend/test/architecture/hostile-input.spec.ts': 'every odd value in every field instead of a fifth of them',
  'backend/test/e2e/auth/security-events.spec.ts': '10,000 failures each way instead of 400 near the limit',
  'backend/test/e2e/billing/billing-order.spec.ts': '120 sequences of events in any order instead of 30',
  'backend/test/e2e/files/transfer/transfers.spec.ts': '8 rounds of moves in opposite directions instead of 4',
  'backend/test/e2e/files/tree/files-moves.spec.ts': '15 concurrent moves and deletions instead of 5',
  'backend/test/e2e/files/tree/files-purge.spec.ts': '12 concurrent purges instead of 4',
  'backend/test/e2e/files/tree/files-tree.spec.ts': '10 sequences of steps in a tree instead of 4',
  'backend/test/e2e/http/slow-connections.spec.ts': '2,000 half-sent sign-ins at once instead of 200',
  'backend/test/e2e/links/temporary-joins.spec.ts':
    '200 people on one link and 210 guessing networks instead of 60 and 40',
  'backend/test/e2e/operations/concurrency.spec.ts': '2 owners, 6 zones and 200 people instead of 4 zones and 44',
  'backend/test/e2e/plans/limits.spec.ts': '50 at once at each limit in each way instead of 15',
};

/** End-to-end tests of all screens; `E2E_VARIANTS=all` runs them in all display variants instead of two. */
export const longEndToEndTests = [
  'frontend/e2e/account/member-home.e2e.ts',
  'frontend/e2e/account/proof-of-work.e2e.ts',
  'frontend/e2e/account/setup.e2e.ts',
  'frontend/e2e/billing-disabled.e2e.ts',
  'frontend/e2e/billing.e2e.ts',
  'frontend/e2e/files/reader-screens.e2e.ts',
  'frontend/e2e/files/reader-text.e2e.ts',
  'frontend/e2e/integrations.e2e.ts',
  'frontend/e2e/legal.e2e.ts',
  'frontend/e2e/reply-to.e2e.ts',
  'frontend/e2e/screens.e2e.ts',
  'frontend/e2e/zones/link-screens.e2e.ts',
  'frontend/e2e/zones/zone-management.e2e.ts',
  'frontend/e2e/zones/zone-screens.e2e.ts',
];
