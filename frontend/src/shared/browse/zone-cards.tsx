import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { CardsSkeleton } from '../ui/skeletons';
import { VirtualItems } from './virtual-items';

interface Props<Z> {
  /** What was asked for. */
  list: { data?: Z[]; error: unknown; refetch: () => unknown };
  keyOf: (zone: Z) => number;
  /** The card of a zone. */
  children: (zone: Z) => ReactNode;
  /** The sentence for a list that could not be loaded. */
  failed: string;
  /** Shown without zones, with the way to make one. */
  none: { icon: ReactNode; title: string; text: string; action: string };
}

/** A card for each zone, one below the other, with the states that such a list can be in. */
export function ZoneCards<Z>({ list: { data: zones, error, refetch }, keyOf, children, failed, none }: Props<Z>) {
  if (!zones)
    return error ? <ErrorState title={failed} error={error} onRetry={refetch} /> : <CardsSkeleton cards={2} />;
  if (zones.length === 0) {
    const toZones = (
      <Button component={Link} to="/zones" variant="contained" color="primary">
        {none.action}
      </Button>
    );
    return (
      <Card>
        <EmptyState icon={none.icon} title={none.title} text={none.text} action={toZones} />
      </Card>
    );
  }
  return (
    <VirtualItems
      count={zones.length}
      gap={16}
      height={320}
      keyOf={(index) => keyOf(zones[index]!)}
      renderItem={(index) => children(zones[index]!)}
    />
  );
}
