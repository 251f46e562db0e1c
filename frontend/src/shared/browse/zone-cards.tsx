import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { CardsSkeleton } from '../ui/skeletons';
import { VirtualItems } from './virtual-items';

interface Props<Z> {
  query: { data?: Z[]; error: unknown; refetch: () => unknown };
  getKey: (zone: Z) => number;
  /** Renders the card of a zone. */
  children: (zone: Z) => ReactNode;
  /** Shown when the list can't be loaded. */
  errorTitle: string;
  /** Shown without zones, with the action that creates one. */
  emptyState: { icon: ReactNode; title: string; text: string; action: string };
}

/** A list of zone cards with its loading, error and empty states. */
export function ZoneCards<Z>({
  query: { data: zones, error, refetch },
  getKey,
  children,
  errorTitle,
  emptyState,
}: Props<Z>) {
  if (!zones)
    return error ? <ErrorState title={errorTitle} error={error} onRetry={refetch} /> : <CardsSkeleton cards={2} />;
  if (zones.length === 0) {
    const zonesButton = (
      <Button component={Link} to="/zones" variant="contained" color="primary">
        {emptyState.action}
      </Button>
    );
    return (
      <Card>
        <EmptyState icon={emptyState.icon} title={emptyState.title} text={emptyState.text} action={zonesButton} />
      </Card>
    );
  }
  return (
    <VirtualItems
      count={zones.length}
      gap={16}
      itemHeight={320}
      getKey={(index) => getKey(zones[index]!)}
      renderItem={(index) => children(zones[index]!)}
    />
  );
}
