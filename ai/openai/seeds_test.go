package openai

var seeds = []string{
	`{"id":"c","model":"m","choices":[{"finish_reason":"stop","message":{"content":"{\"a\":\"x\",\"b\":[1]}"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`,
	`{"choices":[{"finish_reason":"stop","message":{"content":null,"reasoning_content":"so {\"a\":\"x\",\"b\":[]}"}}],"usage":{"prompt_tokens":-1,"completion_tokens":-4}}`,
	`{"choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}}]}`,
	`{"choices":[{"finish_reason":"length","message":{"content":"{\"a\":"}}]}`,
	`{"error":{"code":502,"message":"upstream"}}`,
	`{"error":"model is loading"}`,
	`{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`,
	`{"choices":[{"finish_reason":"stop","message":{"content":"{\"a\":\"x\",\"b\":[]}"}}],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807}}`,
	`<html>502</html>`, ``, `null`, `[]`,
	`{"data":[{"id":"m","context_length":5},{"index":1,"embedding":[1,2]}]}`,
	`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[0,0]}]}`,
}
