import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { AdminListQueryDto } from '../../../platform/http/lists/admin-list.js';
import { OneLine, IsOneOf, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { MissingMessage, localized } from '../../../platform/http/parsing/validation.js';
import {
  suggestionCategories,
  suggestionPriorities,
  suggestionStatuses,
  type SuggestionCategory,
  type SuggestionPriority,
  type SuggestionStatus,
} from '../entities/feature-suggestion.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { Type } from 'class-transformer';

export const suggestionSorts = freezeList(['votes', 'newest']);
export type SuggestionSort = (typeof suggestionSorts)[number];

const titleLengthMessage = localized(
  'The title must have 5 to 100 characters',
  'Başlık 5 ile 100 karakter arasında olmalıdır',
);
const descriptionLengthMessage = localized(
  'The description must have 20 to 1000 characters',
  'Açıklama 20 ile 1000 karakter arasında olmalıdır',
);
const unknownCategoryMessage = localized(
  'The category must be feature, bug or improvement',
  'Kategori özellik, hata veya iyileştirme olmalıdır',
);
const unknownStatusMessage = localized("This status doesn't exist", 'Böyle bir durum yok');
const unknownPriorityMessage = localized(
  'The priority must be low, medium or high',
  'Öncelik düşük, orta veya yüksek olmalıdır',
);
const notesLengthMessage = localized(
  'The notes can have up to 500 characters',
  'Notlar en fazla 500 karakter olabilir',
);
const hoursRangeMessage = localized(
  'The estimate must be a whole number from 1 to 200',
  'Tahmin 1 ile 200 arasında bir tam sayı olmalıdır',
);
const versionLengthMessage = localized(
  'The version can have up to 20 characters',
  'Sürüm en fazla 20 karakter olabilir',
);

export class SuggestionQueryDto extends ListQueryDto {
  /** Omit for all. */
  @IsOneOf(suggestionStatuses, unknownStatusMessage)
  status?: SuggestionStatus;

  @IsOneOf(suggestionCategories, unknownCategoryMessage)
  category?: SuggestionCategory;

  /** Words from the title or the description. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  /** Default: most votes first. */
  @IsOneOf(suggestionSorts, localized('Must be votes or newest', 'votes veya newest olmalıdır'))
  sort?: SuggestionSort;
}

export class AdminSuggestionQueryDto extends AdminListQueryDto {
  @IsOneOf(suggestionStatuses, unknownStatusMessage)
  status?: SuggestionStatus;

  @IsOneOf(suggestionCategories, unknownCategoryMessage)
  category?: SuggestionCategory;
}

@MissingMessage('Please fill in all required fields.', 'Lütfen tüm zorunlu alanları doldurun.')
export class CreateSuggestionDto {
  @Trim()
  @OneLine()
  @MaxLength(100, titleLengthMessage)
  @MinLength(5, titleLengthMessage)
  @IsString(titleLengthMessage)
  title: string;

  @Trim()
  @MaxLength(1000, descriptionLengthMessage)
  @MinLength(20, descriptionLengthMessage)
  @IsString(descriptionLengthMessage)
  description: string;

  /** Default: feature. */
  @OptionalField()
  @IsIn(suggestionCategories, unknownCategoryMessage)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

/** Omitted fields keep their values; null removes the notes, estimate or version. */
export class UpdateSuggestionDto {
  @OptionalField()
  @Trim()
  @OneLine()
  @MaxLength(100, titleLengthMessage)
  @MinLength(5, titleLengthMessage)
  @IsString(titleLengthMessage)
  title?: string;

  @OptionalField()
  @Trim()
  @MaxLength(1000, descriptionLengthMessage)
  @MinLength(20, descriptionLengthMessage)
  @IsString(descriptionLengthMessage)
  description?: string;

  @OptionalField()
  @IsIn(suggestionStatuses, unknownStatusMessage)
  @ApiProperty({ enum: suggestionStatuses, required: false })
  status?: SuggestionStatus;

  @OptionalField()
  @IsIn(suggestionPriorities, unknownPriorityMessage)
  @ApiProperty({ enum: suggestionPriorities, required: false })
  priority?: SuggestionPriority;

  /** Visible to everyone. */
  @IsOptional()
  @Trim()
  @MaxLength(500, notesLengthMessage)
  @IsString(notesLengthMessage)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 500 })
  adminNotes?: string | null;

  @IsOptional()
  @Max(200, hoursRangeMessage)
  @Min(1, hoursRangeMessage)
  @IsInt(hoursRangeMessage)
  @ApiProperty({ type: Number, nullable: true, required: false, minimum: 1, maximum: 200 })
  estimatedHours?: number | null;

  @IsOptional()
  @Trim()
  @OneLine()
  @MaxLength(20, versionLengthMessage)
  @IsString(versionLengthMessage)
  @ApiProperty({ type: String, nullable: true, required: false, maxLength: 20 })
  targetVersion?: string | null;
}

export class SuggestionAbilitiesDto {
  update: boolean;
  delete: boolean;
  /** Edit or withdraw one's own suggestion. */
  edit: boolean;
  vote: boolean;
  /** Merge it into another one. */
  merge: boolean;
  /** Undo the merge. */
  unmerge: boolean;
}

/** Target of a merged suggestion. */
export class MergedIntoDto {
  id: number;
  title: string;
  /** Votes of both suggestions; people who voted for both count once. */
  voteCount: number;
}

export class SuggestionDto {
  id: number;
  title: string;
  description: string;
  @ApiProperty({ enum: suggestionCategories })
  category: SuggestionCategory;
  @ApiProperty({ enum: suggestionStatuses })
  status: SuggestionStatus;
  @ApiProperty({ enum: suggestionPriorities })
  priority: SuggestionPriority;
  /** null if the person has no name or their account was deleted. */
  submitterName: string | null;
  createdAt: Date;
  updatedAt: Date;
  adminNotes: string | null;
  estimatedHours: number | null;
  targetVersion: string | null;
  /** Votes, including merged suggestions; for a merged suggestion, the votes at the time of the merge. */
  voteCount: number;
  /** Whether the viewer voted for it or for a suggestion merged into it. */
  userVoted: boolean;
  /** Whether the viewer submitted it. */
  isOwn: boolean;
  /** The suggestion it was merged into; null if it isn't merged. */
  mergedInto: MergedIntoDto | null;
  /** Number of suggestions merged into it. */
  mergedCount: number;
  /** What the viewer may do. */
  can: SuggestionAbilitiesDto;
}

/** A row of the administrators' list. */
export class AdminSuggestionDto extends SuggestionDto {
  submitterEmail: string | null;
}

const mergeTargetMessage = localized(
  'Please choose the suggestion to merge into',
  'Lütfen birleştirilecek öneriyi seçin',
);

export class MergeSuggestionDto {
  /** The suggestion that remains and counts the votes of both. */
  @Max(Number.MAX_SAFE_INTEGER, mergeTargetMessage)
  @Min(1, mergeTargetMessage)
  @IsInt(mergeTargetMessage)
  @Type(() => Number)
  intoId: number;
}

const searchTitleMessage = localized(
  'Please enter a title of at most 100 characters',
  'Lütfen en fazla 100 karakterlik bir başlık girin',
);

/** Fields that authors may change; omitted fields keep their values. */
export class SuggestionWordsDto extends PickType(UpdateSuggestionDto, ['title', 'description'] as const) {
  @OptionalField()
  @IsIn(suggestionCategories, unknownCategoryMessage)
  @ApiProperty({ enum: suggestionCategories, required: false })
  category?: SuggestionCategory;
}

export class SimilarQueryDto {
  @Trim()
  @OneLine()
  @MaxLength(100, searchTitleMessage)
  @MinLength(1, searchTitleMessage)
  @IsString(searchTitleMessage)
  title: string;
}
