-- Functions of PostgreSQL in terms of DuckDB's; one a line. Those that begin with pg_ stand for functions whose name DuckDB has for something else.
CREATE MACRO to_char(value, form) AS pg_to_char(typeof(value), CAST(value AS VARCHAR), form)
CREATE MACRO pg_to_timestamp(value, form) AS CAST(pg_to_moment(value, form) AS TIMESTAMP) AT TIME ZONE 'UTC'
CREATE MACRO to_date(value, form) AS CAST(CAST(pg_to_moment(value, form) AS TIMESTAMP) AS DATE)
CREATE MACRO to_number(value, form) AS CAST(pg_to_number(value, form) AS DOUBLE)
CREATE MACRO quote_literal(value) AS pg_quote_literal(CAST(value AS VARCHAR))
CREATE MACRO quote_nullable(value) AS coalesce(pg_quote_literal(CAST(value AS VARCHAR)), 'NULL')
CREATE MACRO num_nulls(items) AS CAST(pg_num_nulls(CAST(items AS VARCHAR)) AS INTEGER)
CREATE MACRO num_nonnulls(items) AS CAST(json_array_length(items) - CAST(pg_num_nulls(CAST(items AS VARCHAR)) AS INTEGER) AS INTEGER)
CREATE MACRO pg_format_any(form, items) AS pg_format(form, CAST(items AS VARCHAR))
CREATE MACRO pg_to_hex(value) AS lower(to_hex(value))
CREATE MACRO pg_to_hex_typed(value INTEGER) AS lower(to_hex(CAST(value AS BIGINT) & 4294967295)), (value BIGINT) AS lower(to_hex(value))
CREATE MACRO width_bucket(value, low, high, parts) AS CASE WHEN value < low THEN 0 WHEN value >= high THEN parts + 1 ELSE CAST(floor((CAST(value AS DOUBLE) - low) * parts / (high - low)) AS INTEGER) + 1 END
CREATE MACRO pg_clock_micros(i) AS CAST(date_part('hour', i) * 3600000000 + date_part('minute', i) * 60000000 + date_part('microsecond', i) AS BIGINT)
CREATE MACRO pg_months(i) AS CAST(date_part('year', i) * 12 + date_part('month', i) AS INTEGER)
CREATE MACRO justify_hours(i) AS to_months(pg_months(i)) + to_days(CAST(date_part('day', i) + pg_clock_micros(i) // 86400000000 AS INTEGER)) + to_microseconds(pg_clock_micros(i) % 86400000000)
CREATE MACRO justify_days(i) AS to_months(CAST(pg_months(i) + date_part('day', i) // 30 AS INTEGER)) + to_days(CAST(date_part('day', i) % 30 AS INTEGER)) + to_microseconds(pg_clock_micros(i))
CREATE MACRO justify_interval(i) AS justify_days(justify_hours(i))
CREATE MACRO make_interval(years := 0, months := 0, weeks := 0, days := 0, hours := 0, mins := 0, secs := 0) AS to_months(CAST(years * 12 + months AS INTEGER)) + to_days(CAST(weeks * 7 + days AS INTEGER)) + to_hours(CAST(hours AS BIGINT)) + to_minutes(CAST(mins AS BIGINT)) + to_microseconds(CAST(secs * 1000000 AS BIGINT))
CREATE MACRO array_remove(items, item) AS list_filter(items, lambda e: e IS DISTINCT FROM item)
CREATE MACRO array_replace(items, old, new) AS list_transform(items, lambda e: CASE WHEN e IS NOT DISTINCT FROM old THEN new ELSE e END)
CREATE MACRO regexp_count(value, pattern, start := 1, flags := '') AS len(regexp_extract_all(substr(value, start), pattern, 0, flags))
CREATE MACRO regexp_like(value, pattern, flags := '') AS regexp_matches(value, pattern, flags)
CREATE MACRO regexp_substr(value, pattern) AS CASE WHEN regexp_matches(value, pattern) THEN regexp_extract(value, pattern) END
CREATE MACRO regexp_instr(value, pattern) AS CASE WHEN regexp_matches(value, pattern) THEN strpos(value, regexp_extract(value, pattern)) ELSE 0 END
CREATE MACRO pg_regexp_match_0(value, pattern, flags := '') AS CASE WHEN regexp_matches(value, pattern, flags) THEN [regexp_extract(value, pattern, 0, flags)] END
CREATE MACRO pg_regexp_match_1(value, pattern, flags := '') AS CASE WHEN regexp_matches(value, pattern, flags) THEN [regexp_extract(value, pattern, 1, flags)] END
CREATE MACRO pg_regexp_match_2(value, pattern, flags := '') AS CASE WHEN regexp_matches(value, pattern, flags) THEN [regexp_extract(value, pattern, 1, flags), regexp_extract(value, pattern, 2, flags)] END
CREATE MACRO pg_regexp_match_3(value, pattern, flags := '') AS CASE WHEN regexp_matches(value, pattern, flags) THEN [regexp_extract(value, pattern, 1, flags), regexp_extract(value, pattern, 2, flags), regexp_extract(value, pattern, 3, flags)] END
CREATE MACRO pg_regexp_match_4(value, pattern, flags := '') AS CASE WHEN regexp_matches(value, pattern, flags) THEN [regexp_extract(value, pattern, 1, flags), regexp_extract(value, pattern, 2, flags), regexp_extract(value, pattern, 3, flags), regexp_extract(value, pattern, 4, flags)] END
CREATE MACRO pg_regexp_matches(value, pattern, flags := '') AS unnest(CASE WHEN contains(flags, 'g') THEN list_transform(regexp_extract_all(value, pattern, 0, replace(flags, 'g', '')), lambda m: [m]) WHEN regexp_matches(value, pattern, replace(flags, 'g', '')) THEN [[regexp_extract(value, pattern, 0, replace(flags, 'g', ''))]] ELSE [] END)
CREATE MACRO pg_typeof(value) AS CASE typeof(value) WHEN 'INTEGER' THEN 'integer' WHEN 'BIGINT' THEN 'bigint' WHEN 'SMALLINT' THEN 'smallint' WHEN 'VARCHAR' THEN 'text' WHEN 'DOUBLE' THEN 'double precision' WHEN 'FLOAT' THEN 'real' WHEN 'HUGEINT' THEN 'numeric' WHEN 'BLOB' THEN 'bytea' WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'timestamp with time zone' WHEN 'TIMESTAMP' THEN 'timestamp with time zone' WHEN 'TIME' THEN 'time without time zone' ELSE CASE WHEN starts_with(typeof(value), 'DECIMAL') THEN 'numeric' ELSE lower(typeof(value)) END END
CREATE MACRO pg_seconds(moment) AS date_part('microsecond', moment) / 1000000.0
CREATE MACRO pg_milliseconds(moment) AS date_part('microsecond', moment) / 1000.0
CREATE MACRO pg_split_part(value, separator, field) AS CASE WHEN value IS NULL OR separator IS NULL THEN NULL WHEN field = 0 THEN pg_raise('INVALID_PARAMETER', 'field position must not be zero', CAST(field AS VARCHAR)) WHEN separator = '' THEN CASE WHEN field IN (1, -1) THEN value ELSE '' END ELSE split_part(value, separator, field) END
CREATE MACRO pg_chr(code) AS CASE WHEN code = 0 THEN pg_raise('LIMIT_EXCEEDED', 'null character not permitted', CAST(code AS VARCHAR)) ELSE chr(code) END
CREATE MACRO pg_substring_from(value, start) AS substring(value, greatest(start, 1))
CREATE MACRO pg_substring(value, start, count) AS CASE WHEN count < 0 THEN pg_raise('SUBSTRING_ERROR', 'negative substring length not allowed', CAST(count AS VARCHAR)) ELSE substring(value, greatest(start, 1), greatest(0, count + least(start - 1, 0))) END
CREATE MACRO pg_substring_group(value, pattern) AS CASE WHEN regexp_matches(value, pattern) THEN regexp_extract(value, pattern, 1) END
CREATE MACRO pg_array_to_string(items, separator, absent) AS list_aggregate(list_transform(items, lambda e: coalesce(CAST(e AS VARCHAR), absent)), 'string_agg', separator)
CREATE MACRO pg_encode(value, form) AS CASE form WHEN 'hex' THEN lower(hex(CAST(value AS BLOB))) WHEN 'base64' THEN base64(CAST(value AS BLOB)) ELSE pg_raise('INVALID_PARAMETER', 'unrecognized encoding: "' || form || '"', form) END
CREATE MACRO pg_decode(value, form) AS CASE form WHEN 'hex' THEN unhex(value) WHEN 'base64' THEN from_base64(value) ELSE CAST(pg_raise('INVALID_PARAMETER', 'unrecognized encoding: "' || form || '"', form) AS BLOB) END
CREATE MACRO pg_sha256(value) AS unhex(sha256(value))
CREATE MACRO pg_octets(value) AS CAST(CASE WHEN typeof(value) = 'BLOB' THEN octet_length(CAST(value AS BLOB)) ELSE strlen(CAST(value AS VARCHAR)) END AS INTEGER)
CREATE MACRO pg_length(value) AS CAST(CASE WHEN typeof(value) = 'BLOB' THEN octet_length(CAST(value AS BLOB)) ELSE length(CAST(value AS VARCHAR)) END AS INTEGER)
CREATE MACRO pg_sqrt(value) AS CASE WHEN value < 0 THEN CAST(pg_raise('INVALID_POWER', 'cannot take square root of a negative number', CAST(value AS VARCHAR)) AS DOUBLE) ELSE sqrt(value) END
CREATE MACRO pg_ln(value) AS CASE WHEN value <= 0 THEN CAST(pg_raise('INVALID_LOGARITHM', 'cannot take logarithm of zero or a negative number', CAST(value AS VARCHAR)) AS DOUBLE) ELSE ln(value) END
CREATE MACRO pg_log(value) AS CASE WHEN value <= 0 THEN CAST(pg_raise('INVALID_LOGARITHM', 'cannot take logarithm of zero or a negative number', CAST(value AS VARCHAR)) AS DOUBLE) ELSE log10(value) END
CREATE MACRO pg_json_typeof(value) AS CASE json_type(value) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN NULL THEN NULL ELSE CASE WHEN json_type(value) IS NULL THEN NULL ELSE 'number' END END
CREATE MACRO pg_json_concat(a, b) AS CAST(pg_json_concat_text(CAST(a AS VARCHAR), CAST(b AS VARCHAR)) AS JSON)
CREATE MACRO pg_json_without(value, key) AS CAST(pg_json_without_text(CAST(value AS VARCHAR), CAST(to_json(key) AS VARCHAR)) AS JSON)
CREATE MACRO pg_json_has(value, key) AS CAST(pg_json_has_text(CAST(value AS VARCHAR), CAST(key AS VARCHAR)) AS BOOLEAN)
CREATE MACRO pg_json_set(value, path, inside, missing) AS CAST(pg_json_set_text(CAST(value AS VARCHAR), CAST(path AS VARCHAR), CAST(inside AS VARCHAR), CAST(missing AS VARCHAR)) AS JSON)
CREATE MACRO pg_cast_text(value) AS CASE typeof(value) WHEN 'DOUBLE' THEN pg_double_text(CAST(value AS VARCHAR)) WHEN 'FLOAT' THEN pg_float_text(CAST(value AS VARCHAR)) WHEN 'INTERVAL' THEN pg_interval_text(CAST(value AS VARCHAR)) ELSE CAST(value AS VARCHAR) END
CREATE MACRO pg_text(value) AS CASE typeof(value) WHEN 'BOOLEAN' THEN left(CAST(value AS VARCHAR), 1) ELSE pg_cast_text(value) END
-- A macro repeats what it is given wherever it names it; a list of one carries it there once.
CREATE MACRO pg_cast_text_once(value) AS list_transform([value], lambda v: pg_cast_text(v))[1]
CREATE MACRO pg_text_once(value) AS list_transform([value], lambda v: pg_text(v))[1]
CREATE MACRO pg_json_elements(value) AS list_transform(CAST(CAST(value AS JSON) AS JSON[]), lambda e: coalesce(e, CAST('null' AS JSON)))
CREATE MACRO pg_array_length(items, dimension) AS CASE WHEN len(items) > 0 AND dimension = 1 THEN CAST(len(items) AS INTEGER) END
CREATE MACRO array_upper(items, dimension) AS pg_array_length(items, dimension)
CREATE MACRO array_lower(items, dimension) AS CASE WHEN pg_array_length(items, dimension) IS NULL THEN NULL ELSE 1 END
CREATE MACRO array_positions(items, item) AS list_filter(range(1, len(items) + 1), lambda i: items[i] IS NOT DISTINCT FROM item)
CREATE MACRO pg_json_texts(value) AS list_transform(CAST(CAST(value AS JSON) AS JSON[]), lambda e: json_extract_string(e, '$'))
CREATE MACRO pg_json_entries(value) AS list_transform(json_keys(value), lambda k: {'key': k, 'value': json_extract(CAST(value AS JSON), '/' || replace(replace(k, '~', '~0'), '/', '~1'))})
CREATE MACRO pg_json_text_entries(value) AS list_transform(json_keys(value), lambda k: {'key': k, 'value': json_extract_string(CAST(value AS JSON), '/' || replace(replace(k, '~', '~0'), '/', '~1'))})
CREATE MACRO pg_json_object_keys(value) AS unnest(json_keys(value))
-- DuckDB computes a batch of values, of any size, outside of the memory that it counts, and cannot be stopped meanwhile. So an argument fails if the results of the batch would be too large or take too long (pg_room, pg_work). The argument fails, not the call: a call with constants only is computed beforehand.
-- pg_raise fails, as error() does, but is not volatile: a window may be ordered by what calls it.
CREATE MACRO pg_size(value) AS coalesce(strlen(CAST(value AS VARCHAR)), 0)
CREATE MACRO pg_fitting(value, total) AS CASE WHEN pg_room(CAST(total AS DOUBLE)) THEN value END
CREATE MACRO pg_expanding(value) AS pg_fitting(value, pg_size(value) * 8.0::DOUBLE)
CREATE MACRO pg_count(value, times) AS CASE WHEN strlen(CAST(value AS VARCHAR)) * CAST(times AS DOUBLE) > 16777216 THEN CAST(pg_raise('LIMIT_EXCEEDED', 'requested length too large', CAST(times AS VARCHAR)) AS INTEGER) WHEN pg_room(strlen(CAST(value AS VARCHAR)) * CAST(times AS DOUBLE)) THEN times END
CREATE MACRO pg_repeat(value, times) AS repeat(value, pg_count(value, times))
CREATE MACRO pg_lpad(value, width, fill) AS CASE WHEN fill = '' THEN left(value, greatest(width, 0)) ELSE lpad(value, pg_count('x', width), fill) END
CREATE MACRO pg_rpad(value, width, fill) AS CASE WHEN fill = '' THEN left(value, greatest(width, 0)) ELSE rpad(value, pg_count('x', width), fill) END
CREATE MACRO pg_replaced_size(value, old, new) AS strlen(value) + CASE WHEN strlen(new) > strlen(old) AND old <> '' THEN CAST(strlen(value) - strlen(replace(value, old, '')) AS DOUBLE) / strlen(old) * (strlen(new) - strlen(old)) ELSE 0 END
CREATE MACRO pg_replace(value, old, new) AS replace(pg_fitting(value, pg_replaced_size(value, old, new)), old, new)
CREATE MACRO pg_matched_size(value, matches, new) AS strlen(value) + CAST(matches AS DOUBLE) * strlen(new) + CAST(strlen(value) AS DOUBLE) * (strlen(new) - strlen(replace(new, '\', '')))
CREATE MACRO pg_regexp_replace(value, pattern, new) AS regexp_replace(pg_fitting(value, pg_matched_size(value, 1, new)), pattern, new)
CREATE MACRO pg_regexp_replace_flags(value, pattern, new, flags) AS regexp_replace(pg_fitting(value, pg_matched_size(value, CASE WHEN NOT contains(flags, 'g') THEN 1 WHEN CAST(strlen(value) AS DOUBLE) * strlen(new) <= 32768 THEN strlen(value) + 1 ELSE len(regexp_extract_all(value, pattern, 0, replace(flags, 'g', ''))) + 1 END, new)), pattern, new, flags)
CREATE MACRO pg_range_1(stop) AS range(pg_fitting(stop, CAST(stop AS DOUBLE) * 8))
CREATE MACRO pg_range_2(start, stop) AS range(start, pg_fitting(stop, (CAST(stop AS DOUBLE) - CAST(start AS DOUBLE)) * 8))
CREATE MACRO pg_series_1(stop) AS generate_series(pg_fitting(stop, CAST(stop AS DOUBLE) * 8))
CREATE MACRO pg_series_2(start, stop) AS generate_series(start, pg_fitting(stop, (CAST(stop AS DOUBLE) - CAST(start AS DOUBLE)) * 8))
-- Numbers or moments: what a text is not, is NULL.
CREATE MACRO pg_as_number(value) AS TRY_CAST(CAST(value AS VARCHAR) AS DOUBLE)
CREATE MACRO pg_as_seconds(value) AS epoch(TRY_CAST(CAST(value AS VARCHAR) AS TIMESTAMP WITH TIME ZONE))
CREATE MACRO pg_steps(start, stop, step) AS coalesce((pg_as_number(stop) - pg_as_number(start)) / nullif(pg_as_number(step), 0), (pg_as_seconds(stop) - pg_as_seconds(start)) / nullif(epoch(TRY_CAST(CAST(step AS VARCHAR) AS INTERVAL)), 0), 0)
CREATE MACRO pg_range_3(start, stop, step) AS range(start, pg_fitting(stop, pg_steps(start, stop, step) * 8), step)
CREATE MACRO pg_series_3(start, stop, step) AS generate_series(start, pg_fitting(stop, pg_steps(start, stop, step) * 8), step)
CREATE MACRO pg_resized_2(items, size) AS list_resize(items, pg_fitting(size, CAST(size AS DOUBLE) * 8))
CREATE MACRO pg_resized_3(items, size, item) AS list_resize(items, pg_fitting(size, CAST(size AS DOUBLE) * (8 + pg_size(item))), item)
CREATE MACRO pg_bitstring(value, size) AS bitstring(value, pg_fitting(size, CAST(size AS DOUBLE)))
CREATE MACRO pg_printf_form(form) AS CASE WHEN regexp_matches(form, '[0-9]{5}|[*]|[{]') THEN pg_raise('LIMIT_EXCEEDED', 'a width has at most four digits', form) ELSE form END
CREATE MACRO pg_comparable(a, b, weight) AS CASE WHEN pg_work(CAST(strlen(a) AS DOUBLE) * strlen(b) * weight) THEN a END
CREATE MACRO pg_brackets(document) AS strlen(document) - strlen(replace(replace(document, '[', ''), '{', ''))
CREATE MACRO pg_json_pretty(value) AS json_pretty(CASE WHEN pg_work(CAST(pg_size(value) AS DOUBLE) * pg_brackets(CAST(value AS VARCHAR))) THEN value END)
CREATE MACRO pg_levenshtein(a, b) AS levenshtein(pg_comparable(a, b, 1), b)
CREATE MACRO pg_damerau_levenshtein(a, b) AS damerau_levenshtein(pg_comparable(a, b, 64), b)
CREATE MACRO pg_jaro_similarity(a, b) AS jaro_similarity(pg_comparable(a, b, 1), b)
CREATE MACRO pg_jaro_winkler_similarity(a, b) AS jaro_winkler_similarity(pg_comparable(a, b, 1), b)
CREATE MACRO trim_array(items, count) AS list_slice(items, 1, CASE WHEN count < 0 OR count > len(items) THEN CAST(pg_raise('ARRAY_ELEMENT_ERROR', 'number of elements to trim must be between 0 and ' || len(items), CAST(count AS VARCHAR)) AS BIGINT) ELSE len(items) - count END)
CREATE MACRO array_fill(item, sizes) AS list_transform(range(CASE WHEN len(sizes) > 1 THEN CAST(pg_raise('UNSUPPORTED', 'array_fill makes lists of one dimension only', CAST(len(sizes) AS VARCHAR)) AS BIGINT) ELSE pg_fitting(sizes[1], CAST(sizes[1] AS DOUBLE) * (8 + pg_size(item))) END), lambda e: item)
CREATE MACRO array_ndims(items) AS CASE WHEN len(items) > 0 THEN CAST(len(regexp_extract_all(typeof(items), '\[\]')) AS INTEGER) END
CREATE MACRO scale(value) AS CAST(length(split_part(CAST(value AS VARCHAR), '.', 2)) AS INTEGER)
CREATE MACRO min_scale(value) AS CAST(length(rtrim(split_part(CAST(value AS VARCHAR), '.', 2), '0')) AS INTEGER)
CREATE MACRO pg_string_to_array(value, separator) AS CASE WHEN value = '' THEN CAST([] AS VARCHAR[]) WHEN separator = '' THEN [value] ELSE string_to_array(value, separator) END
CREATE MACRO string_to_table(value, separator) AS unnest(pg_string_to_array(value, separator))
-- The type of an operand, as the type of a NULL: BOOLEAN for DOUBLE, DATE for DECIMAL, UUID for integers, BLOB for all others. The macros below have a variant for each.
CREATE MACRO pg_kind(value DOUBLE) AS CAST(NULL AS BOOLEAN), (value DECIMAL(38,10)) AS CAST(NULL AS DATE), (value BIGINT) AS CAST(NULL AS UUID), (value HUGEINT) AS CAST(NULL AS UUID), (value) AS CAST(NULL AS BLOB)
CREATE MACRO pg_kinds(a BOOLEAN, b BOOLEAN) AS a, (a BOOLEAN, b DATE) AS a, (a BOOLEAN, b UUID) AS a, (a DATE, b BOOLEAN) AS b, (a UUID, b BOOLEAN) AS b, (a DATE, b DATE) AS a, (a DATE, b UUID) AS a, (a UUID, b DATE) AS b, (a UUID, b UUID) AS a, (a, b) AS CAST(NULL AS BLOB)
CREATE MACRO pg_quotient(a, b, kind BOOLEAN) AS a // b, (a, b, kind DATE) AS CAST(pg_divided(CAST(a AS VARCHAR), CAST(b AS VARCHAR)) AS DECIMAL(38,16)), (a, b, kind UUID) AS a // b, (a, b, kind BLOB) AS a // b
CREATE MACRO pg_mean(total, count, kind BOOLEAN) AS total // nullif(count, 0), (total, count, kind BLOB) AS total // nullif(count, 0), (total, count, kind DATE) AS CAST(pg_divided(CAST(total AS VARCHAR), CAST(nullif(count, 0) AS VARCHAR)) AS DECIMAL(38,16)), (total, count, kind UUID) AS CAST(pg_divided(CAST(total AS VARCHAR), CAST(nullif(count, 0) AS VARCHAR)) AS DECIMAL(38,16))
CREATE MACRO pg_product(a, b, kind BOOLEAN) AS a * b, (a, b, kind DATE) AS CAST(pg_multiplied(CAST(a AS VARCHAR), CAST(b AS VARCHAR)) AS DECIMAL(38,16)), (a, b, kind UUID) AS a * b, (a, b, kind BLOB) AS a * b
CREATE MACRO pg_div(a, b, kind BOOLEAN) AS trunc(a // b), (a, b, kind DATE) AS CAST(pg_divided_whole(CAST(a AS VARCHAR), CAST(b AS VARCHAR)) AS DECIMAL(38,0)), (a, b, kind UUID) AS a // b, (a, b, kind BLOB) AS divide(a, b)
CREATE MACRO pg_numeric_text(value) AS CAST(pg_exact(CAST(value AS VARCHAR)) AS DECIMAL(38,16))
CREATE MACRO pg_numeric(value, kind BOOLEAN) AS CAST(pg_rounded(CAST(value AS VARCHAR)) AS DECIMAL(38,16)), (value, kind BLOB) AS pg_numeric_text(value), (value, kind DATE) AS value, (value, kind UUID) AS CAST(value AS DECIMAL(38,0))
CREATE MACRO pg_minus(a DATE, b DATE) AS CAST(a - b AS INTEGER), (a, b) AS a - b
CREATE MACRO pg_years(moment, span) AS date_trunc('year', moment) - to_years(CAST(((date_part('year', CAST(moment AS DATE)) - 1) % span + span) % span AS INTEGER))
CREATE MACRO pg_date_trunc(part, moment) AS CASE lower(part) WHEN 'century' THEN pg_years(moment, 100) WHEN 'millennium' THEN pg_years(moment, 1000) ELSE date_trunc(part, moment) END
-- DuckDB reads numbers with a fraction or an exponent as DOUBLE; the text has their digits.
CREATE MACRO pg_json_text_at(document, path) AS CASE WHEN json_type(document, path) IN ('DOUBLE', 'OBJECT', 'ARRAY') THEN pg_json_part(CAST(document AS VARCHAR), path) ELSE json_extract_string(document, path) END
CREATE MACRO pg_json_at(document, path) AS CASE WHEN json_type(document, path) IN ('DOUBLE', 'OBJECT', 'ARRAY') THEN CAST(pg_json_part(CAST(document AS VARCHAR), path) AS JSON) ELSE json_extract(document, path) END
