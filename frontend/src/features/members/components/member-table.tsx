import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import type { Sort } from '../../../shared/browse/sort';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import type { Member, MemberSortKey, useMembers } from '../api/use-members';
import { MemberRow, type MemberActions } from './member-row';

const columns = '48px minmax(0, 3fr) minmax(0, 2fr) 112px 200px 44px';

interface Props {
  list: ReturnType<typeof useMembers>;
  sort: Sort<MemberSortKey>;
  onSort: (sort: Sort<MemberSortKey>) => void;
  /** Undefined for people who can only view. */
  actions?: MemberActions;
}

/** Members as rows, virtualised; further pages load while scrolling. */
export function MemberTable({ list: { members, total, loadMore }, sort, onSort, actions }: Props) {
  const { t } = useTranslation('members');
  const renderHeader = (name: MemberSortKey) => <SortCell name={name} sort={sort} onSort={onSort} />;
  return (
    <TableFrame label={t('list')} columns={columns} rowCount={total + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader isNumeric>
          {t('columns.number')}
        </TableCell>
        {renderHeader('email')}
        {renderHeader('name')}
        {renderHeader('joined')}
        <TableCell isHeader>{t('columns.role')}</TableCell>
        <TableCell isHeader>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={members.length}
        itemHeight={44}
        getKey={(index) => members[index]!.id}
        onNearEnd={loadMore}
        renderItem={(index) => <MemberRow member={members[index] as Member} rowNumber={index + 1} actions={actions} />}
      />
    </TableFrame>
  );
}

function SortCell({ name, sort, onSort }: { name: MemberSortKey } & Pick<Props, 'sort' | 'onSort'>) {
  const { t } = useTranslation('members');
  const isCurrent = sort.by === name;
  const isAscending = sort.order === 'asc';
  const Arrow = isAscending ? ArrowUpwardRounded : ArrowDownwardRounded;
  const toggleSort = () => onSort({ by: name, order: isCurrent && isAscending ? 'desc' : 'asc' });
  return (
    <TableCell isHeader sortDirection={isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined}>
      <ButtonBase
        onClick={toggleSort}
        sx={{
          gap: 1,
          minHeight: 36,
          borderRadius: 1,
          font: 'inherit',
          color: isCurrent ? 'text.primary' : 'inherit',
          '&:hover': { color: 'text.primary' },
        }}
      >
        {t(`columns.${name}`)}
        {isCurrent && <Arrow sx={{ fontSize: 16 }} />}
      </ButtonBase>
    </TableCell>
  );
}
