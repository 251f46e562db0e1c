import FilterListOffRounded from '@mui/icons-material/FilterListOffRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import type { ReactNode } from 'react';
import {
  DataTable,
  ListBase,
  ListContextProvider,
  type ListBaseProps,
  Pagination,
  RecordContextProvider,
  ResourceContextProvider,
  useList,
  useListContext,
  type RaRecord,
  type SortPayload,
} from 'react-admin';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { resources, type ResourceName } from '../../resources';
import { RowCard } from './column';
import { ExportButton } from './export-button';
import { useOpenRecord } from './record-address';
import { SearchTextProvider } from './search-text';
import { silentQueryErrors } from './silent-query-errors';

interface ListContentProps<T extends RaRecord> {
  resource: ResourceName;
  /** Accessible name of the list. */
  label: string;
  /** Shown if the list can't be loaded. */
  errorTitle: string;
  /** Shown while the list is empty. */
  empty: { icon: ReactNode; title: string; text: string };
  /** Shown if nothing matches the filters; a general text by default. */
  noResults?: { title: string; text: string };
  /** Opens a row that has no address. */
  onRowClick?: (row: T) => void;
  /** The columns: `Column`. */
  children: ReactNode;
}

interface Props<T extends RaRecord> extends ListContentProps<T> {
  /** The inputs: `SearchFilter`, `SelectFilter`, `PeriodFilter`. */
  filters?: ReactNode;
  /** Actions beside the filters and the export. */
  actions?: ReactNode;
  /** `BulkActions` for the rows selected by a `SelectColumn`. */
  bulkActions?: ReactNode;
  queryOptions?: ListBaseProps<T>['queryOptions'];
  /** Shown above the filters. */
  header?: ReactNode;
  /** Shown beside the list, for example the drawer of a row. */
  aside?: ReactNode;
  sort?: SortPayload;
}

const newestFirst: SortPayload = { field: 'createdAt', order: 'DESC' };

/** A list of the administration: filters, export, table or cards, and pagination, all done by the server. */
export function List<T extends RaRecord>(props: Props<T>) {
  const { resource, filters, actions, bulkActions, sort = newestFirst, queryOptions, header, aside, ...rest } = props;
  const exportPath = resources[resource].export;
  return (
    <ListBase<T>
      resource={resource}
      sort={sort}
      perPage={25}
      exporter={false}
      queryOptions={{ ...silentQueryErrors, ...queryOptions }}
    >
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {header}
        {filters && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
            <SearchTextProvider>
              <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, flexGrow: 1 }}>
                {filters}
                {exportPath && <ExportButton path={exportPath} />}
              </Box>
            </SearchTextProvider>
            {actions}
          </Box>
        )}
        {bulkActions}
        <ListContent resource={resource} {...rest} />
      </Box>
      {aside}
    </ListBase>
  );
}

/** The rows in every state. */
function ListContent<T extends RaRecord>(props: ListContentProps<T>) {
  const { label, errorTitle, empty, noResults } = props;
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
    return (
      <Card>{Object.keys(filterValues).length > 0 ? <NoResults {...noResults} /> : <EmptyState {...empty} />}</Card>
    );
  }
  return (
    <Box component="section" aria-label={label} sx={{ minWidth: 0 }}>
      <Rows {...props} rows={data} />
      <Pagination rowsPerPageOptions={[25, 50, 100]} />
    </Box>
  );
}

interface RowsProps<T extends RaRecord> extends Pick<
  ListContentProps<T>,
  'resource' | 'label' | 'onRowClick' | 'children'
> {
  rows: T[];
}

/** A short list that is loaded elsewhere, without pagination and sorting. */
export function StaticList<T extends RaRecord>(props: RowsProps<T>) {
  const list = useList<T>({ data: props.rows, resource: props.resource });
  return (
    <ResourceContextProvider value={props.resource}>
      <ListContextProvider value={list}>
        <Rows {...props} isFocusable />
      </ListContextProvider>
    </ResourceContextProvider>
  );
}

/** `isFocusable` lets the table be scrolled by keyboard if nothing in it can be focused. */
function Rows<T extends RaRecord>(props: RowsProps<T> & { isFocusable?: boolean }) {
  const { resource, label, onRowClick, rows, isFocusable = false, children } = props;
  const isWide = useMediaQuery(`(min-width: ${layoutSize.drawerBelow}px)`);
  const openRecord = useOpenRecord(resource);
  if (!isWide) {
    return (
      <Box component="ul" aria-label={label} sx={{ display: 'grid', gap: 3, m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((row) => (
          <RecordContextProvider key={row.id} value={row}>
            <Card component="li">
              <RowCard columns={children} />
            </Card>
          </RecordContextProvider>
        ))}
      </Box>
    );
  }
  const openRow = resources[resource].page ? ({ id }: T) => openRecord(id) : onRowClick;
  const handleRowClick = (_id: unknown, _resource: string, row: RaRecord) => {
    openRow?.(row as T);
    return false as const;
  };
  return (
    <Card {...(isFocusable && { role: 'group', tabIndex: 0, 'aria-label': label })} sx={{ overflowX: 'auto' }}>
      <DataTable
        aria-label={label}
        bulkActionButtons={false}
        rowClick={openRow ? handleRowClick : false}
        sx={{ '& tbody tr:last-of-type td': { borderBottom: 0 } }}
      >
        {children}
      </DataTable>
    </Card>
  );
}

function NoResults({ title, text }: Partial<NonNullable<ListContentProps<RaRecord>['noResults']>>) {
  const { t } = useTranslation('admin');
  const { setFilters } = useListContext();
  return (
    <EmptyState
      icon={<FilterListOffRounded />}
      title={title ?? t('list.nothingFound')}
      text={text ?? t('list.nothingFoundText')}
      action={<Button onClick={() => setFilters({})}>{t('list.clear')}</Button>}
    />
  );
}
