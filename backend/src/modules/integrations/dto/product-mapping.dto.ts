import { IsBoolean, IsDefined, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { NumberAsText, OneLine, Trimmed } from '../../../platform/http/reading/fields.js';
import { MissingMessage, say } from '../../../platform/http/reading/validation.js';

const noProductId = say('Please enter the product id', 'Lütfen ürün kimliğini girin');
const noProductName = say('Please enter the product name', 'Lütfen ürün adını girin');
const noZone = say('Please choose a zone', 'Lütfen bir bölge seçin');

// Of the rules of a field, the lowest one is asked first.
@MissingMessage('Please fill in all fields', 'Lütfen tüm alanları doldurun')
export class CreateProductMappingDto {
  /** The shop's product id; a number is accepted as well. */
  @NumberAsText()
  @Trimmed()
  @OneLine()
  @MaxLength(64, say('The product id is too long', 'Ürün kimliği çok uzun'))
  @IsString(say('The product id must be text, such as "42"', 'Ürün kimliği "42" gibi bir metin olmalıdır'))
  @IsNotEmpty(noProductId)
  @IsDefined(noProductId)
  productId: string;

  @Trimmed()
  @OneLine()
  @MaxLength(255, say('The product name is too long', 'Ürün adı çok uzun'))
  @IsString(say('The product name must be text', 'Ürün adı bir metin olmalıdır'))
  @IsNotEmpty(noProductName)
  @IsDefined(noProductName)
  productName: string;

  @Min(1, noZone)
  @Max(Number.MAX_SAFE_INTEGER, noZone)
  @IsInt(say('The zone must be given by its id, a number', 'Bölge, kimliği olan sayıyla belirtilir'))
  @IsDefined(noZone)
  zoneId: number;
}

export class SwitchProductMappingDto {
  /** Whether orders of the product give access to the zone. */
  @IsBoolean(say('Please state whether the mapping is active', 'Lütfen eşlemenin etkin olup olmadığını belirtin'))
  isActive: boolean;
}

export class ProductMappingDto {
  id: number;
  productId: string;
  productName: string;
  zoneId: number;
  zoneName: string;
  isActive: boolean;
  createdAt: Date;
}

/** A zone that a mapping may name. */
export class ZoneChoiceDto {
  id: number;
  name: string;
  ownerEmail: string;
  type: 'private' | 'public';
}
