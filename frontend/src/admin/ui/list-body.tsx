import FilterListOffRounded from '@mui/icons-material/FilterListOffRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import { DataTable, Pagination, useListContext, type RaRecord } from 'react-admin';
import { useMediaQuery } from '../../shared/hooks/use-media-query';
import { layoutSize } from '../../app/theme/tokens';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';

interface Props<T extends RaRecord> {
  /** Accessible name of the table. */
  label: string;
  /** Shown if the list can't be loaded. */
  errorTitle: string;
  /** Shown if there is nothing at all. */
  empty: ReactNode;
  noResults: { title: string; text: string; clearLabel: string };
  /** On narrow screens, each row is a card. */
  renderCard: (row: T) => ReactNode;
  onRowClick?: (row: T) => void;
  /** The columns: `DataTable.Col`. */
  children: ReactNode;
}

/** The rows of an admin list in every state. Must be inside react-admin's `ListBase`. */
export function ListBody<T extends RaRecord>(props: Props<T>) {
  const { label, errorTitle, empty } = props;
  const { data, error, isPending, refetch, total, filterValues } = useListContext<T>();
  if (error && !data) return <ErrorState title={errorTitle} error={error} onRetry={() => void refetch()} />;
  if (isPending || !data) {
    return (
      <Card sx={{ px: 4, py: 2 }}>
        <RowsSkeleton rows={8} />
      </Card>
    );
  }
  if (total === 0) {
    return <Card>{Object.keys(filterValues).length > 0 ? <NoResults {...props.noResults} /> : empty}</Card>;
  }
  return (
    <Box component="section" aria-label={label} sx={{ minWidth: 0 }}>
      <Rows {...props} rows={data} />
      <Pagination rowsPerPageOptions={[25, 50, 100]} />
    </Box>
  );
}

function Rows<T extends RaRecord>({
  label,
  renderCard,
  onRowClick,
  rows,
  children,
}: Props<T> & { rows: readonly T[] }) {
  const isWide = useMediaQuery(`(min-width: ${layoutSize.drawerBelow}px)`);
  if (!isWide) {
    return (
      <Box component="ul" aria-label={label} sx={{ display: 'grid', gap: 3, m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((row) => (
          <Card key={row.id} component="li">
            {renderCard(row)}
          </Card>
        ))}
      </Box>
    );
  }
  const handleRowClick = (_id: unknown, _resource: string, row: RaRecord) => {
    onRowClick?.(row as T);
    return false as const;
  };
  return (
    <Card sx={{ overflowX: 'auto' }}>
      <DataTable
        aria-label={label}
        bulkActionButtons={false}
        rowClick={onRowClick ? handleRowClick : false}
        sx={{ '& tbody tr:last-of-type td': { borderBottom: 0 } }}
      >
        {children}
      </DataTable>
    </Card>
  );
}

function NoResults({ title, text, clearLabel }: { title: string; text: string; clearLabel: string }) {
  const { setFilters } = useListContext();
  return (
    <EmptyState
      icon={<FilterListOffRounded />}
      title={title}
      text={text}
      action={<Button onClick={() => setFilters({})}>{clearLabel}</Button>}
    />
  );
}
