import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { ListBase, type RaRecord, type SortPayload } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../shared/ui/empty-state';
import type { ResourceName } from '../resources';
import { ListBody } from './list-body';
import { silentQueryErrors } from './silent-query-errors';

interface Props<T extends RaRecord> {
  resource: ResourceName;
  /** Accessible name of the list. */
  label: string;
  errorTitle: string;
  /** Shown while the list is empty. */
  empty: { icon: ReactNode; title: string; text: string };
  filters?: ReactNode;
  sort?: SortPayload;
  renderCard: (row: T) => ReactNode;
  onRowClick?: (row: T) => void;
  /** The columns: `DataTable.Col`. */
  children: ReactNode;
}

const newestFirst: SortPayload = { field: 'createdAt', order: 'DESC' };

/** A list of the administration: filters, table or cards, and pagination, all done by the server. */
export function AdminList<T extends RaRecord>(props: Props<T>) {
  const { resource, label, errorTitle, empty, filters, sort = newestFirst, renderCard, onRowClick, children } = props;
  const { t } = useTranslation('admin');
  return (
    <ListBase resource={resource} sort={sort} perPage={25} exporter={false} queryOptions={silentQueryErrors}>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {filters}
        <ListBody<T>
          label={label}
          errorTitle={errorTitle}
          empty={<EmptyState {...empty} />}
          noResults={{ title: t('list.nothingFound'), text: t('list.nothingFoundText'), clearLabel: t('list.clear') }}
          renderCard={renderCard}
          onRowClick={onRowClick}
        >
          {children}
        </ListBody>
      </Box>
    </ListBase>
  );
}
