import type { ReactNode } from 'react';
import { ShowBase, useShowContext, type RaRecord } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { ResourceName } from '../../resources';
import { PanelContent, PanelDrawer } from '../side-panel';
import { useCloseRecord, useReturnFocus } from './record-address';
import { silentQueryErrors } from './silent-query-errors';

interface Props<Row extends RaRecord, Detail extends Row> {
  resource: ResourceName;
  /** A field that only the detail has, if there is any. Until it is loaded, the list's row is shown in the title. */
  detailField?: Exclude<keyof Detail, keyof Row>;
  errorTitle: string;
  title: (row: Row) => string;
  badge?: (row: Row) => ReactNode;
  children: (detail: Detail) => ReactNode;
}

/**
 * The record named in the address, beside its list. The list stays mounted, so that it keeps its state, and its link to
 * the record regains the focus.
 */
export function RecordDrawer<Row extends RaRecord, Detail extends Row>(props: Props<Row, Detail>) {
  const { id } = useParams();
  const close = useCloseRecord(props.resource);
  useReturnFocus(id);
  return (
    <PanelDrawer open={id !== undefined} onClose={close}>
      {(titleId) =>
        id !== undefined && (
          <ShowBase resource={props.resource} id={id} disableAuthentication queryOptions={detailQueryOptions}>
            <RecordContent {...props} titleId={titleId} onClose={close} />
          </ShowBase>
        )
      }
    </PanelDrawer>
  );
}

/** The list's rows are in the cache as well; they lack the details, so these are always requested. */
const detailQueryOptions = { ...silentQueryErrors, staleTime: 0 };

type ContentProps<Row extends RaRecord, Detail extends Row> = Props<Row, Detail> & {
  titleId: string;
  onClose: () => void;
};

function RecordContent<Row extends RaRecord, Detail extends Row>(props: ContentProps<Row, Detail>) {
  const { detailField, errorTitle, title, badge, titleId, onClose, children } = props;
  const { t } = useTranslation();
  const { record, error, refetch } = useShowContext<Row>();
  const detail = record && (detailField === undefined || detailField in record) ? (record as Detail) : null;
  const fallbackTitle = error ? errorTitle : t('loading');
  return (
    <PanelContent
      titleId={titleId}
      title={record ? title(record) : fallbackTitle}
      badge={record && badge?.(record)}
      onClose={onClose}
    >
      {detail && children(detail)}
      {!detail && error && <ErrorState title={errorTitle} error={error} onRetry={() => void refetch()} />}
      {!detail && !error && <RowsSkeleton rows={8} />}
    </PanelContent>
  );
}
