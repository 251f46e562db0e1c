/**
 * Long suites, of which `npm test` runs a short case (`backend/test/support/full-or-short.ts`), with what `npm run
 * test:long` runs instead.
 */
export const longSuites = {
  'backend/src/platform/text/plain-name.spec.ts': '20,000 made-up names, in the place of 4,000',
  'backend/test/architecture/hostile-input.spec.ts': 'every odd value in every field, in the place of a fifth of them',
  'backend/test/e2e/auth/security-events.spec.ts': '10,000 failures each way, in the place of 400 near the line',
  'backend/test/e2e/billing/billing-order.spec.ts': '120 stories of events in any order, in the place of 30',
  'backend/test/e2e/files/tree/files-moves.spec.ts': '15 crossings of moves and deletions, in the place of 5',
  'backend/test/e2e/files/tree/files-purge.spec.ts': '12 crossings of purges, in the place of 4',
  'backend/test/e2e/files/tree/files-tree.spec.ts': '10 sequences of steps in a tree, in the place of 4',
  'backend/test/e2e/http/slow-connections.spec.ts': '2,000 half-sent sign-ins at once, in the place of 200',
  'backend/test/e2e/links/temporary-joins.spec.ts':
    '200 people on one link and 210 networks that guess, in the place of 60 and 40',
  'backend/test/e2e/operations/crossing.spec.ts': '2 owners, 6 zones and 200 people, in the place of 4 zones and 44',
  'backend/test/e2e/plans/limits.spec.ts': '50 at once at each limit in each way, in the place of 15',
};

/** End-to-end tests of all screens; `E2E_SHAPES=all` runs them in all display variants instead of two. */
export const longJourneys = [
  'frontend/e2e/account/reader-home.journey.ts',
  'frontend/e2e/account/setup.journey.ts',
  'frontend/e2e/account/work.journey.ts',
  'frontend/e2e/billing-unsold.journey.ts',
  'frontend/e2e/billing.journey.ts',
  'frontend/e2e/files/reader-screens.journey.ts',
  'frontend/e2e/files/reader-text.journey.ts',
  'frontend/e2e/integrations.journey.ts',
  'frontend/e2e/legal.journey.ts',
  'frontend/e2e/reply-to.journey.ts',
  'frontend/e2e/screens.journey.ts',
  'frontend/e2e/zones/link-screens.journey.ts',
  'frontend/e2e/zones/zone-screens.journey.ts',
  'frontend/e2e/zones/zone-work.journey.ts',
];
