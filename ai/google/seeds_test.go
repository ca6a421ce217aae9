package google

var seeds = []string{
	`{"candidates":[{"content":{"parts":[{"text":"t","thought":true},{"text":"{\"a\":\"x\",\"b\":[1]}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":12,"candidatesTokenCount":3,"thoughtsTokenCount":2}}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`,
	`{"promptFeedback":{"blockReason":"SAFETY"}}`,
	`{"candidates":[{"finishReason":"RECITATION"}]}`,
	`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota","details":[{"violations":[{"quotaId":"XPerDayY"}]},{"retryDelay":"26s"}]}}`,
	`{"error":{"code":400,"message":"API key not valid","details":[{"reason":"API_KEY_INVALID"}]}}`,
	`{"error":{"details":[{"retryDelay":"-9999999h"}]}}`,
	`{"candidates":[{"content":{"parts":[{"text":"{\"a\":\"x\",\"b\":[]}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9223372036854775807,"candidatesTokenCount":9223372036854775807,"thoughtsTokenCount":9223372036854775807}}`,
	`<html>`, ``, `null`, `[]`, `{"models":[{"name":"models/m"}]}`, `{"embeddings":[{"values":[1]},{"values":[1,2]}]}`,
}
