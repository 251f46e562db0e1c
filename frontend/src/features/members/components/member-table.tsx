import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import { useTranslation } from 'react-i18next';
import type { Sort } from '../../../shared/browse/sort';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { MemberSortKey, useMembers } from '../api/use-members';
import { MemberRow, type MemberActions } from './member-row';

const columns = '48px minmax(0, 3fr) minmax(0, 2fr) 112px 200px 44px';

interface Props {
  list: ReturnType<typeof useMembers>;
  sort: Sort<MemberSortKey>;
  onSort: (sort: Sort<MemberSortKey>) => void;
  /** Undefined for people who can only view. */
  actions?: MemberActions;
}

/** Members as rows; those on the screen are loaded. */
export function MemberTable({ list: { members, onRangeChange }, sort, onSort, actions }: Props) {
  const { t } = useTranslation('members');
  const renderHeader = (name: MemberSortKey) => <SortCell name={name} sort={sort} onSort={onSort} />;
  return (
    <TableFrame label={t('list')} columns={columns} rowCount={members.length + 1}>
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
        getKey={(index) => members[index]?.id ?? `empty-${index}`}
        onRangeChange={onRangeChange}
        renderItem={(index) => {
          const member = members[index];
          return member ? (
            <MemberRow member={member} rowNumber={index + 1} actions={actions} />
          ) : (
            <EmptyRow rowNumber={index + 1} />
          );
        }}
      />
    </TableFrame>
  );
}

/** Keeps the place of a member who isn't loaded, as high as a loaded one: on narrow screens that has three lines. */
function EmptyRow({ rowNumber }: { rowNumber: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <TableRow rowIndex={rowNumber + 1}>
      <TableCell hideOnMobile isNumeric>
        {format.number(rowNumber)}
      </TableCell>
      <TableCell>
        <span className="z-visually-hidden">{t('loading')}</span>
        <Box sx={{ display: { md: 'none' }, width: '100%', height: 85, py: 2 }}>
          <Skeleton animation={false} width="60%" />
        </Box>
      </TableCell>
    </TableRow>
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
